//! `linnet inspect --parameters`: each block's manifest.

use crate::cli::InspectArgs;
use crate::exit::Exit;
use crate::render::ColorChoice;

pub fn run(_args: &InspectArgs, _color: ColorChoice) -> Exit {
    todo!()
}
