//! linnet-fmt
