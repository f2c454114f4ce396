//! Algorithms and merge kernels of the tests.

use ringwood_base::registry::{Entry, EntryMeta, Registry};
use ringwood_base::{DType, Result, Shared};
use ringwood_collective::{Group, GroupBuilder};
use ringwood_device::kernel::{
    Form, Instance, KernelDef, Native, NativeArg, NativeLaunch, Param, ParamKind,
};
use ringwood_schedule::{Chunks, Collective, Descriptor, Lane, Params, Rank};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// The ring of Patarasuk and Yuan.
pub(crate) struct Ring;

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring").chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
        for step in 0..n - 1 {
            s.send(next, p.chunk(rank - step));
            s.recv_reduce(prev, p.chunk(rank - step - 1));
        }
        for step in 0..n - 1 {
            s.send(next, p.chunk(rank - step + 1));
            s.recv(prev, p.chunk(rank - step));
        }
    }
}

/// Exchanges of whole buffers: in place, two ranks would wait for each other.
pub(crate) struct Doubling;

impl Collective for Doubling {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("doubling").power_of_two_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let mut distance = 1;
        while distance < p.ranks() {
            let peer = p.rank(rank.index() ^ distance);
            s.send(peer, p.all());
            s.recv_reduce(peer, p.all());
            distance *= 2;
        }
    }
}

/// Every rank sends its input to all others; inputs land in scratch chunks, in rank order.
pub(crate) struct OneShot;

impl Collective for OneShot {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("one_shot").out_of_place()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for distance in 1..p.ranks() {
            s.send(rank + distance, p.input(0_usize));
        }
        for from in (0..p.ranks()).map(|r| p.rank(r)) {
            let (input, scratch, output) = (p.input(0_usize), p.scratch(0_usize), p.all());
            match (from == rank, from.index() == 0) {
                (true, true) => s.copy(input, output),
                (true, false) => s.reduce(input, output),
                (false, true) => s.recv(from, output),
                (false, false) => {
                    s.recv(from, scratch);
                    s.reduce(scratch, output);
                }
            }
        }
    }
}

/// Every rank sends its block to all others.
pub(crate) struct Collect;

impl Collective for Collect {
    fn describe(&self) -> Descriptor {
        Descriptor::all_gather("collect").out_of_place()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        s.copy(p.input(rank), p.chunk(rank));
        for distance in 1..p.ranks() {
            s.send(rank + distance, p.chunk(rank));
        }
        for distance in 1..p.ranks() {
            s.recv(rank - distance, p.chunk(rank - distance));
        }
    }
}

/// Forgets the last rank.
pub(crate) struct Broken;

impl Collective for Broken {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("broken").chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for _ in 1..p.ranks().max(2) - 1 {
            s.send(rank.next(), p.all());
            s.recv_reduce(rank.prev(), p.all());
        }
    }
}

const fn meta(name: &'static str) -> EntryMeta<'static> {
    EntryMeta { package: "tests", name, module_path: module_path!(), file: file!(), line: line!() }
}

/// The first element of an operand, of which so many are in its slice, and how far they are apart.
fn operand<T>(launch: &NativeLaunch<'_>, arg: usize, count: usize) -> (*mut T, usize) {
    let NativeArg::Slice(slice) = launch.args()[arg] else { panic!("operands are slices") };
    let step = slice.strides().map_or(1, |strides| strides[0]);
    assert!(count == 0 || ((count - 1) * step + 1) * size_of::<T>() <= slice.bytes());
    (slice.data().cast::<T>().as_ptr(), step)
}

fn map<T: Copy>(launch: &NativeLaunch<'_>, range: Range<usize>, f: fn(T, T) -> T) -> Result<()> {
    let [a, b, out] = [0, 1, 2].map(|arg| operand::<T>(launch, arg, range.end));
    let mut i = range.start;
    // Tests merge millions of elements; unoptimised, an iterator takes longer than the rest.
    while i < range.end {
        let at = |(first, step): (*mut T, usize)| first.wrapping_add(i * step);
        // SAFETY: `operand` checks that the elements are in the slices, which the launch vouches for.
        unsafe { *at(out) = f(*at(a), *at(b)) };
        i += 1;
    }
    Ok(())
}

const fn params(dtype: DType) -> [Param; 3] {
    let read = ParamKind::Slice { dtype, mutable: false };
    let write = ParamKind::Slice { dtype, mutable: true };
    [
        Param { name: "a", kind: read },
        Param { name: "b", kind: read },
        Param { name: "out", kind: write },
    ]
}

macro_rules! kernels {
    ($($name:ident: $a:ident, $b:ident => $body:expr;)*) => {$(
        #[allow(clippy::redundant_closure_call)]
        pub(super) static $name: KernelDef = KernelDef {
            meta: meta(stringify!($name)),
            form: Form::Map,
            devices: &["cpu"],
            instances: &[
                kernels!(@ f32 DType::F32, $a, $b => $body),
                kernels!(@ f64 DType::F64, $a, $b => $body),
                kernels!(@ i32 DType::I32, $a, $b => $body),
                kernels!(@ u64 DType::U64, $a, $b => $body),
                kernels!(@ u8 DType::U8, $a, $b => $body),
            ],
        };
    )*};
    (@ $ty:ident $dtype:expr, $a:ident, $b:ident => $body:expr) => {
        Instance {
            native: Some(Native::new(|launch, range| {
                map::<$ty>(launch, range, |$a, $b| $body)
            })),
            ..Instance::new(&params($dtype))
        }
    };
}

mod kernels {
    #![allow(non_upper_case_globals)]
    use super::*;

    kernels! {
        add: a, b => a + b;
        mul: a, b => a * b;
        min: a, b => if a < b { a } else { b };
        max: a, b => if a > b { a } else { b };
        div: a, b => a / b;
    }

    pub(super) static explode: KernelDef = KernelDef {
        meta: meta("explode"),
        form: Form::Map,
        devices: &["cpu"],
        instances: &[Instance {
            native: Some(Native::new(|_, _| panic!("kernel on fire"))),
            ..Instance::new(&params(DType::F32))
        }],
    };

    /// Adds all elements each time it is run, whatever the range.
    pub(super) static add_at_once: KernelDef = KernelDef {
        meta: meta("add_at_once"),
        form: Form::Host,
        devices: &["cpu"],
        instances: &[Instance {
            native: Some(Native::new(|launch, _| {
                let NativeArg::Slice(out) = launch.args()[2] else { panic!("operands are slices") };
                map::<f32>(launch, 0..out.bytes() / 4, |a, b| a + b)
            })),
            ..Instance::new(&params(DType::F32))
        }],
    };

    pub(super) static ALL: [&KernelDef; 7] = [&add, &mul, &min, &max, &div, &explode, &add_at_once];
}

/// Everything above, registered by hand.
pub(crate) fn registry() -> Registry {
    registry_with([])
}

/// Everything above and more algorithms.
pub(crate) fn registry_with(
    more: impl IntoIterator<Item = (&'static str, &'static dyn Collective)>,
) -> Registry {
    registry_of("ringwood", more)
}

/// Everything above and more algorithms, the kernels as those of that package.
pub(crate) fn registry_of(
    package: &'static str,
    more: impl IntoIterator<Item = (&'static str, &'static dyn Collective)>,
) -> Registry {
    let mut builder = Registry::builder();
    for kernel in kernels::ALL {
        builder = builder.register(Entry::new(EntryMeta { package, ..kernel.meta }, kernel));
    }
    let collectives: [(&str, &'static dyn Collective); 5] = [
        ("ring", &Ring),
        ("doubling", &Doubling),
        ("one_shot", &OneShot),
        ("collect", &Collect),
        ("broken", &Broken),
    ];
    for (name, collective) in collectives.into_iter().chain(more) {
        builder = builder.register(Entry::made(
            meta(name),
            ringwood_schedule::CollectiveDef { collective: Shared::Declared(collective) },
        ));
    }
    builder.build().expect("names are unique")
}

/// A group of `n` ranks that waits for half a minute.
pub(crate) fn group(n: usize) -> GroupBuilder {
    Group::builder(n).registry(Arc::new(registry())).timeout(Duration::from_secs(30))
}
