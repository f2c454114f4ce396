//! Collectives of a program run beside its kernels.

use ringwood::Result;
use ringwood::collective::{Communicator, Group, Tensors};
use ringwood::engine::{Agreement, Engine, with_engine};
use ringwood::graph::Collective;
use ringwood::prelude::*;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The collectives that have ended, and the kernels that have begun.
static ENDED: AtomicUsize = AtomicUsize::new(0);
static BEGUN: AtomicUsize = AtomicUsize::new(0);

/// Waits until both ranks have come so far; whether they have.
fn both(count: &AtomicUsize) -> bool {
    let end = Instant::now() + Duration::from_secs(10);
    while count.load(Ordering::SeqCst) < 2 && Instant::now() < end {
        std::thread::yield_now();
    }
    count.load(Ordering::SeqCst) >= 2
}

/// 1 if the collectives of both ranks end before this does; they wait for its begin.
#[kernel(host, device = cpu)]
fn until_the_collectives_end(x: &[f32], y: &mut [f32]) {
    BEGUN.fetch_add(1, Ordering::SeqCst);
    y.fill(f32::from(both(&ENDED) && !x.is_empty()));
}

register_operator! { pub UntilTheCollectivesEnd = until_the_collectives_end; shape: "n -> n" }

/// A rank that is no worker of a session.
struct Bare(Communicator);

impl Engine for Bare {
    fn place(&self, _: bool) -> (usize, usize) {
        (self.0.rank(), self.0.size())
    }

    fn agree(&self, _: &Agreement) -> Result<()> {
        Ok(())
    }

    fn run(&self, call: &Collective, input: Option<&Tensor>, output: &mut Tensor) -> Result<()> {
        let tensors = match input {
            None => Tensors::InPlace(output),
            Some(input) => Tensors::Apart { input, output },
        };
        assert!(both(&BEGUN), "no kernel runs beside the collective");
        self.0.call().run_tensors(&call.request.what, tensors)?;
        ENDED.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

/// The program of each of two ranks, with a kernel that is written before and after the collective.
#[test]
fn a_collective_ends_while_kernels_run_that_do_not_need_it() {
    type Waits = fn(Lazy) -> (Lazy, Lazy, Lazy);
    let after: Waits = |x| {
        let sum = (&x * 2.0).all_reduce(ReduceOp::Sum);
        let waited = UntilTheCollectivesEnd::on(&[&(&x * 3.0)], ());
        let last = &sum + &waited;
        (sum, waited, last)
    };
    // As the gradient of one layer, and what computes that of the layer before.
    let before: Waits = |x| {
        let last = &x * 2.0;
        let waited = UntilTheCollectivesEnd::on(&[&(&x * 3.0)], ());
        let sum = last.all_reduce(ReduceOp::Sum);
        let all = &sum + &waited;
        (sum, waited, all)
    };
    for program in [after, before] {
        [&ENDED, &BEGUN].iter().for_each(|count| count.store(0, Ordering::SeqCst));
        let rank = |communicator: Communicator| {
            std::thread::spawn(move || {
                let x = Lazy::new(&[2], &[1.0_f32, 2.0 + communicator.rank() as f32]);
                let outcome = with_engine(Rc::new(Bare(communicator)), || jit(program).call(x))?;
                Ok((outcome.0.to_vec::<f32>()?, outcome.1.to_vec::<f32>()?, outcome.2.to_vec()?))
            })
        };
        let ranks: Vec<_> = Group::builder(2).open().unwrap().into_iter().map(rank).collect();
        for rank in ranks {
            let outcome: Result<(_, _, Vec<f32>)> = rank.join().unwrap();
            assert_eq!(outcome.unwrap(), (vec![4.0, 10.0], vec![1.0; 2], vec![5.0, 11.0]));
        }
    }
}
