//! SafeTensors headers, indexes and bindings, read from real files.

mod bindings;
mod compare;
mod files;
mod headers;
mod indexes;
