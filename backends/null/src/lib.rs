#![doc = include_str!("../README.md")]

mod backend;
mod device;
mod event;
mod kernel;
mod memory;
mod stream;

pub use backend::Null;
pub use device::Device;
pub use event::Event;
pub use kernel::Code;
pub use memory::Memory;
pub use stream::Stream;
