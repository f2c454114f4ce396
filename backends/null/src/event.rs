//! An event: the driver's event or fence, with the stream's failure if that came first.

/// A marker in a stream. There is none.
#[derive(Clone, Debug)]
pub enum Event {}
