//! Values as bytes.

use super::malformed;
use crate::protocol::{DEEPEST_LIST, Direction, LARGE, Scope};
use crate::{Config, HostTensor, Value};
use bytes::Bytes;
use half::{bf16, f16};
use ringwood_base::{DType, ErrorKind, Result, Shape};
use ringwood_transport::process::Parcel;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// A type that travels between processes.
pub trait Wire: Sized {
    fn put(&self, to: &mut Writer);

    /// # Errors
    /// The bytes hold none.
    fn take(from: &mut Reader<'_>) -> Result<Self>;
}

/// A message as it is written.
pub struct Writer {
    pub(super) bytes: Vec<u8>,
    /// What travels beside the bytes, and where the next part will begin.
    pub(super) parts: Vec<Bytes>,
    pub(super) end: usize,
    /// The elements of lists.
    pub(super) elements: usize,
    /// How deep the list that is written lies, and the deepest one.
    pub(super) depth: (u32, u32),
}

/// A message as it is read.
pub struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) parcel: Bytes,
    pub(super) depth: u32,
    /// The elements of lists that may still come.
    pub(super) elements: usize,
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let split = self.bytes.split_at_checked(count);
        let (taken, rest) = split.ok_or_else(|| malformed("it ends too early"))?;
        self.bytes = rest;
        Ok(taken)
    }
}

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl Wire for $number {
            fn put(&self, to: &mut Writer) {
                to.bytes.extend(self.to_le_bytes());
            }

            fn take(from: &mut Reader<'_>) -> Result<Self> {
                let bytes = from.bytes(size_of::<$number>())?;
                Ok(Self::from_le_bytes(bytes.try_into().expect("as many bytes as it has")))
            }
        }
    )*};
}

numbers! { u8 i8 i16 u16 i32 u32 i64 u64 f32 f64 f16 bf16 }

/// A type that travels as another one.
macro_rules! travels_as {
    ($($type:ty as $as:ty: $value:ident => $put:expr, $taken:ident => $take:expr;)*) => {$(
        impl Wire for $type {
            fn put(&self, to: &mut Writer) {
                let $value = self;
                <$as as Wire>::put(&$put, to);
            }

            fn take(from: &mut Reader<'_>) -> Result<Self> {
                let $taken = <$as as Wire>::take(from)?;
                $take.ok_or_else(|| malformed(concat!("it holds no ", stringify!($type))))
            }
        }
    )*};
}

travels_as! {
    usize as u64: v => *v as u64, v => usize::try_from(v).ok();
    bool as u8: v => u8::from(*v), v => (v < 2).then_some(v == 1);
    Scope as bool: v => *v == Scope::Group, v => Some(if v { Scope::Group } else { Scope::All });
    Direction as bool: v => *v == Direction::Send, v => Some(if v { Direction::Send } else { Direction::Recv });
    Duration as (u64, u32): v => (v.as_secs(), v.subsec_nanos()), v => (v.1 < 1_000_000_000).then(|| Duration::new(v.0, v.1));
    Shape as Vec<usize>: v => v.to_vec(), v => Shape::new(&v).ok();
    DType as u8: v => DType::ALL.iter().position(|one| one == v).unwrap_or(0) as u8, v => DType::ALL.get(usize::from(v)).copied();
    String as Bytes: v => Bytes::copy_from_slice(v.as_bytes()), v => String::from_utf8(v.into()).ok();
    Cow<'static, str> as Bytes: v => Bytes::copy_from_slice(v.as_bytes()), v => String::from_utf8(v.into()).ok().map(Cow::Owned);
    Arc<[u8]> as Bytes: v => Bytes::copy_from_slice(v), v => Some(v[..].into());
    ErrorKind as String: v => v.to_string(), v => serde_json::from_value(v.into()).ok();
    Box<Value> as Vec<Value>: v => vec![Value::clone(v)], v => <[Value; 1]>::try_from(v).ok().map(|[v]| Box::new(v));
    Box<Config> as Config: v => Config::clone(v), v => Some(Box::new(v));
    HostTensor as (DType, (Shape, Bytes)): v => (v.dtype(), (v.shape(), v.bytes().clone())),
        v => HostTensor::from_bytes(v.0, v.1.0, v.1.1).ok();
}

/// Short ones stand in the message; long ones lie in the file that travels along, and are not copied when they are read.
impl Wire for Bytes {
    fn put(&self, to: &mut Writer) {
        let large = self.len() > LARGE;
        large.put(to);
        self.len().put(to);
        if large {
            let start = to.end;
            start.put(to);
            to.end = Parcel::after(start, self.len());
            to.parts.push(self.clone());
        } else {
            to.bytes.extend_from_slice(self);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self> {
        let (large, length) = (bool::take(from)?, usize::take(from)?);
        if !large {
            return from.bytes(length).map(Self::copy_from_slice);
        }
        let start = usize::take(from)?;
        let end = start.checked_add(length).filter(|&end| end <= from.parcel.len());
        let end = end.ok_or_else(|| malformed("its elements lie outside of its file"))?;
        Ok(from.parcel.slice(start..end))
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, to: &mut Writer) {
        to.elements += self.len();
        self.len().put(to);
        let depth = to.depth.0 + 1;
        to.depth = (depth, depth.max(to.depth.1));
        self.iter().for_each(|one| one.put(to));
        to.depth.0 -= 1;
    }

    fn take(from: &mut Reader<'_>) -> Result<Self> {
        let count = usize::take(from)?;
        // Each takes at least one byte.
        if count > from.bytes.len() {
            return Err(malformed("it ends too early"));
        }
        let left = from.elements.checked_sub(count);
        from.elements = left.ok_or_else(|| malformed("its lists are too long"))?;
        from.depth += 1;
        if from.depth > DEEPEST_LIST {
            return Err(malformed("its values lie too deep in each other"));
        }
        // Grown as they are read: a value takes more memory than its bytes.
        let list = (0..count).map(|_| T::take(from)).collect();
        from.depth -= 1;
        list
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, to: &mut Writer) {
        self.is_some().put(to);
        if let Some(value) = self {
            value.put(to);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self> {
        if bool::take(from)? { T::take(from).map(Some) } else { Ok(None) }
    }
}

impl<T: Wire, E: Wire> Wire for Result<T, E> {
    fn put(&self, to: &mut Writer) {
        self.is_ok().put(to);
        match self {
            Ok(value) => value.put(to),
            Err(error) => error.put(to),
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self> {
        if bool::take(from)? { T::take(from).map(Ok) } else { E::take(from).map(Err) }
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, to: &mut Writer) {
        self.0.put(to);
        self.1.put(to);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self> {
        Ok((A::take(from)?, B::take(from)?))
    }
}
