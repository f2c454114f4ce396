//! Every wait orders something: with it the result is right, without it wrong.

use crate::kernels::ADD;
use crate::routines::{Y, Z, holding, sum};
use crate::toy::{Gate, REFUSING};
use crate::{LIMIT, bytes, device, fails, held, runtime, shape, values};
use ringwood_base::{DType, ErrorKind};
use ringwood_device::device::{Device, LaunchArg, Stream, Tensor, Wait, launch};
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(30);

struct Bench {
    device: Device,
    slow: Stream,
    gate: Gate,
    fast: Stream,
    x: Tensor,
    y: Tensor,
}

/// `x` holds ones and `y` twos; nothing is under way.
fn bench(omit: Option<Wait>) -> Bench {
    let device = device("toy:0");
    let tensor = |value: f32| device.tensor(&[value; 4]).unwrap();
    let (x, y) = (tensor(1.0), tensor(2.0));
    device.synchronize(LIMIT).unwrap();
    let (slow, gate) = held(&device);
    let fast = device.new_stream("free").unwrap();
    if let Some(wait) = omit {
        // SAFETY: the toy's memory is made of atomics, and work keeps it alive.
        unsafe { device.omit_wait(wait, true) };
    }
    Bench { device, slow, gate, fast, x, y }
}

impl Bench {
    /// Lets the fast stream go as far as it can, then the slow one too.
    fn run(&self, omitted: bool) {
        let early = self.fast.synchronize(if omitted { LIMIT } else { SHORT });
        assert_eq!(early.is_ok(), omitted, "the fast stream waits unless the wait is left out");
        self.gate.open();
        self.fast.synchronize(LIMIT).unwrap();
        self.slow.synchronize(LIMIT).unwrap();
    }
}

#[test]
fn a_read_waits_for_the_last_write() {
    for (omit, expected) in [(None, 3.0), (Some(Wait::ReadAfterWrite), 1.0)] {
        let b = bench(omit);
        b.slow.write(bytes(3.0), b.x.region()).unwrap();
        b.fast.copy(b.x.region(), b.y.region()).unwrap();
        b.run(omit.is_some());
        assert_eq!(values(&b.y), [expected; 4]);
    }
}

#[test]
fn a_write_waits_for_the_reads_before_it() {
    for (omit, expected) in [(None, 1.0), (Some(Wait::WriteAfterRead), 3.0)] {
        let b = bench(omit);
        b.slow.copy(b.x.region(), b.y.region()).unwrap();
        b.fast.write(bytes(3.0), b.x.region()).unwrap();
        b.run(omit.is_some());
        assert_eq!(values(&b.y), [expected; 4]);
    }
}

#[test]
fn a_write_waits_for_the_last_write() {
    for (omit, expected) in [(None, 4.0), (Some(Wait::WriteAfterWrite), 3.0)] {
        let b = bench(omit);
        b.slow.write(bytes(3.0), b.x.region()).unwrap();
        b.fast.write(bytes(4.0), b.x.region()).unwrap();
        b.run(omit.is_some());
        b.device.synchronize(LIMIT).unwrap();
        assert_eq!(values(&b.x), [expected; 4]);
    }
}

#[test]
fn the_host_waits_for_the_device() {
    let device = device("shared:0");
    let x = device.tensor(&[1.0_f32; 4]).unwrap();
    let (slow, gate) = held(&device);
    slow.write(bytes(3.0), x.region()).unwrap();
    let error = x.host_ref(SHORT, |_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert_eq!(x.wait(SHORT).unwrap_err().kind(), ErrorKind::Timeout);
    // SAFETY: the gate keeps the only work from running until the wait is back.
    unsafe { device.omit_wait(Wait::HostReadAfterWrite, true) };
    assert_eq!(values(&x), [1.0; 4]);
    // SAFETY: this brings the wait back.
    unsafe { device.omit_wait(Wait::HostReadAfterWrite, false) };
    gate.open();
    x.wait(LIMIT).unwrap();
    assert_eq!(values(&x), [3.0; 4]);
}

#[test]
fn the_host_waits_for_readers_before_it_writes() {
    let device = device("shared:0");
    let mut x = device.tensor(&[1.0_f32; 4]).unwrap();
    let y = device.zeros(shape(&[4]), DType::F32).unwrap();
    device.synchronize(LIMIT).unwrap();
    let (slow, gate) = held(&device);
    slow.copy(x.region(), y.region()).unwrap();
    let error = x.host_mut(SHORT, |_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(x.host_ref(LIMIT, |_| ()).is_ok(), "reading beside a reader needs no wait");
    gate.open();
    x.host_mut(LIMIT, |bytes| bytes.fill(0)).unwrap();
    assert_eq!(values(&y), [1.0; 4]);
    assert_eq!(values(&x), [0.0; 4]);
}

#[test]
fn the_host_writes_too_early_without_its_waits() {
    for (omit, expected) in [(Wait::HostWriteAfterRead, 5.0), (Wait::HostWriteAfterWrite, 3.0)] {
        let device = device("shared:0");
        let mut x = device.tensor(&[1.0_f32; 4]).unwrap();
        let y = device.zeros(shape(&[4]), DType::F32).unwrap();
        device.synchronize(LIMIT).unwrap();
        let (slow, gate) = held(&device);
        match omit {
            Wait::HostWriteAfterRead => slow.copy(x.region(), y.region()).unwrap(),
            _ => slow.write(bytes(3.0), x.region()).unwrap(),
        }
        // SAFETY: the gate keeps the only work from running until the host is out again.
        unsafe { device.omit_wait(omit, true) };
        x.host_mut(LIMIT, |to| to.copy_from_slice(&bytes(5.0))).unwrap();
        gate.open();
        slow.synchronize(LIMIT).unwrap();
        let written = if omit == Wait::HostWriteAfterRead { &y } else { &x };
        assert_eq!(values(written), [expected; 4], "without {omit:?}");
    }
}

#[test]
fn memory_is_freed_only_after_its_last_use() {
    for omit in [false, true] {
        let b = bench(omit.then_some(Wait::FreeAfterUse));
        let before = b.device.memory_in_use();
        let z = b.device.empty(shape(&[4]), DType::F32).unwrap();
        b.slow.write(bytes(3.0), z.region()).unwrap();
        drop(z);
        let freed_early = b.device.memory_in_use() == before;
        assert_eq!(freed_early, omit);
        b.gate.open();
        let outcome = b.slow.synchronize(LIMIT);
        if omit {
            fails(outcome, "freed memory was used");
        } else {
            outcome.unwrap();
        }
        assert_eq!(b.device.memory_in_use(), before);
    }
}

#[test]
fn device_work_on_a_buffer_that_the_host_uses_is_refused() {
    let device = device("shared:0");
    let mut x = device.tensor(&[1.0_f32; 4]).unwrap();
    let alias = x.clone();
    let stream = device.stream().unwrap();
    x.host_mut(LIMIT, |_| {
        fails(stream.fill(alias.region(), 0), "being written by the host");
        fails(alias.host_ref(LIMIT, |_| ()), "being written by the host");
    })
    .unwrap();
    alias
        .host_ref(LIMIT, |_| {
            fails(stream.fill(x.region(), 0), "being read by the host");
            x.host_ref(LIMIT, |_| ()).unwrap();
        })
        .unwrap();
    stream.fill(x.region(), 0).unwrap();
    assert_eq!(values(&x), [0.0; 4]);
}

#[test]
fn the_host_changes_a_copy_beside_the_work_that_reads() {
    let device = device("toy:0");
    let mut x = device.tensor(&[1.0_f32; 4]).unwrap();
    let y = device.zeros(shape(&[4]), DType::F32).unwrap();
    device.synchronize(LIMIT).unwrap();
    let (slow, gate) = held(&device);
    slow.copy(x.region(), y.region()).unwrap();
    x.host_mut(LIMIT, |to| to.copy_from_slice(&bytes(5.0))).unwrap();
    assert!(!y.buffer().is_idle());
    gate.open();
    assert_eq!((values(&y), values(&x)), (vec![1.0; 4], vec![5.0; 4]));
}

#[test]
fn the_host_that_does_not_get_in_in_time_has_written_nothing() {
    let device = device("shared:0");
    let context = holding(&device, 2.0).with(Y, &device.tensor(&[3.0_f32; 4]).unwrap()).unwrap();
    let routine = context.link(&device.compile(sum()).unwrap()).unwrap();
    let mut z = routine.context().tensor(Z).unwrap();
    let (slow, gate) = held(&device);
    REFUSING.set(Some(0));
    fails(slow.fill(z.region(), 0), "not now");
    REFUSING.set(None);
    assert_eq!(z.host_mut(SHORT, |_| ()).unwrap_err().kind(), ErrorKind::Timeout);
    gate.open();
    fails(z.to_vec::<f32>(), "holds nothing yet");
    z.host_mut(LIMIT, |to| to.copy_from_slice(&bytes(5.0))).unwrap();
    assert_eq!(values(&z), [5.0; 4]);
}

#[test]
fn what_others_write_while_the_host_changes_a_copy_is_not_lost() {
    let device = device("toy:0");
    let mut x = device.tensor(&[1.0_f32; 4]).unwrap();
    let mut alias = x.clone();
    let (own, other) = (device.stream().unwrap(), device.new_stream("free").unwrap());
    let written = x.host_mut(LIMIT, |to| {
        for stream in [&own, &other] {
            fails(stream.fill(alias.region(), 0), "being written by the host");
        }
        fails(alias.to_vec::<f32>(), "being written by the host");
        fails(alias.host_mut(LIMIT, |_| ()), "being written by the host");
        to[..4].copy_from_slice(&bytes(5.0)[..4]);
    });
    written.unwrap();
    other.fill(alias.rows(1..2).unwrap().region(), 0).unwrap();
    assert_eq!(values(&x), [5.0, 0.0, 1.0, 1.0]);
}

#[test]
fn a_panic_in_the_hosts_closure_lets_the_device_back_in() {
    let device = device("shared:0");
    let mut x = device.tensor(&[1.0_f32; 4]).unwrap();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = x.host_mut(LIMIT, |_| panic!("closure"));
    }));
    assert!(caught.is_err());
    device.stream().unwrap().fill(x.region(), 0).unwrap();
    assert_eq!(values(&x), [0.0; 4]);
}

#[test]
fn threads_that_share_a_tensor_lose_no_update() {
    for name in ["toy:0", "shared:0"] {
        let device = device(name);
        let x = device.zeros(shape(&[4]), DType::F32).unwrap();
        let one = device.tensor(&[1.0_f32]).unwrap();
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| {
                    let (input, mut output) = (x.clone(), x.clone());
                    device.new_stream("").unwrap().scope(|| {
                        for _ in 0..50 {
                            let args = [
                                LaunchArg::Read(&input),
                                LaunchArg::Read(&one),
                                LaunchArg::Write(&mut output),
                            ];
                            launch(&ADD, &args).unwrap();
                        }
                    });
                });
            }
        });
        assert_eq!(values(&x), [200.0; 4]);
    }
}

#[test]
fn random_programs_on_several_streams_equal_their_submission_order() {
    for seed in 0..40_u64 {
        let device = runtime().device("toy:0").unwrap();
        let streams: Vec<_> = (0..3).map(|_| device.new_stream("").unwrap()).collect();
        let tensors: Vec<_> = (0..4).map(|i| device.tensor(&[i as f32; 4]).unwrap()).collect();
        let mut model = [0.0, 1.0, 2.0, 3.0];
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut random = |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) % n
        };
        for step in 0..60 {
            let stream = &streams[random(3) as usize];
            let (a, b) = (random(4) as usize, random(4) as usize);
            if random(3) == 0 {
                let value = step as f32;
                stream.write(bytes(value), tensors[a].region()).unwrap();
                model[a] = value;
            } else if a != b {
                stream.copy(tensors[a].region(), tensors[b].region()).unwrap();
                model[b] = model[a];
            }
        }
        let got: Vec<f32> = tensors.iter().map(|t| values(t)[3]).collect();
        assert_eq!(got, model, "seed {seed}");
    }
}
