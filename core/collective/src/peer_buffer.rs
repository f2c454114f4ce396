//! Elements that peers reach in place.

use bytemuck::Pod;
use ringwood_base::Element;
use ringwood_transport::Region;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Elements that peers reach in place; see [`Communicator::alloc`](super::Communicator::alloc).
/// They are freed when this value is dropped, which may outlive its communicator.
///
/// ```
/// use ringwood_collective::Group;
/// use ringwood_base::registry::Registry;
///
/// let comm = Group::builder(1).registry(Registry::default()).open()?.remove(0);
/// let mut data = comm.alloc::<f32>(3)?;
/// data[1] = 2.0;
/// assert_eq!(*data, [0.0, 2.0, 0.0]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
pub struct PeerBuffer<T> {
    region: Region,
    elements: PhantomData<T>,
}

impl<T: Element> PeerBuffer<T> {
    /// All elements of a region, which has whole ones.
    pub(super) fn new(region: Region) -> Self {
        Self { region, elements: PhantomData }
    }
}

impl<T: Element + Pod> Deref for PeerBuffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(self.region.bytes())
    }
}

impl<T: Element + Pod> DerefMut for PeerBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(self.region.bytes_mut())
    }
}
