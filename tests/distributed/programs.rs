//! Collectives as nodes of recorded programs, in sessions.

use crate::kinds;
use ringwood::lazy::{Order, Static, with_default_device};
use ringwood::nn::{self, ColumnParallel, Key, Linear, RowParallel};
use ringwood::prelude::*;
use ringwood::session::SessionBuilder;
use ringwood::{Error, Result};
use std::time::Duration;

fn numbers(seed: usize, count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 7 + seed * 13) % 29) as f32 / 3.0 - 4.0).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// The rank after each.
fn next(n: usize) -> Vec<usize> {
    (0..n).map(|r| (r + 1) % n).collect()
}

/// Each collective, of a tensor whose rows the ranks can share.
fn collectives(x: &Lazy) -> [Lazy; 6] {
    let n = Ranks::all().place().unwrap().1;
    [
        (x * 2.0).all_reduce(ReduceOp::Sum),
        Ranks::all().with("ring").all_reduce(x, ReduceOp::Mean),
        x.all_gather(),
        Ranks::all().order(Order::Linear).reduce_scatter(x, ReduceOp::Sum),
        x.all_to_all(),
        x.permute_ranks(&next(n)),
    ]
}

/// Inside of a recorded function, and at once: what the group itself makes of the same elements.
#[global_fn]
fn nodes_and_calls(w: &Worker) -> Result<()> {
    let (n, rank) = (w.size(), w.rank());
    let given = Lazy::new(&[2 * n, 3], &numbers(rank, 6 * n));
    let program = jit(|x: Lazy| collectives(&x));
    let group = w.communicator();
    for call in 0..3 {
        let got = if call == 2 { collectives(&given) } else { program.call(given.clone())? };
        let x = given.to_vec::<f32>()?;
        let mut doubled: Vec<_> = x.iter().map(|x| 2.0 * x).collect();
        group.all_reduce(&mut doubled, ReduceOp::Sum)?;
        let mut mean = x.clone();
        group.with("ring").all_reduce(&mut mean, ReduceOp::Mean)?;
        let mut all = vec![0.0_f32; x.len() * n];
        group.all_gather_into(&x, &mut all)?;
        let mut block = vec![0.0_f32; x.len() / n];
        group.call().order(Order::Linear).reduce_scatter_into(&x, &mut block, ReduceOp::Sum)?;
        let mut blocks = vec![0.0_f32; x.len()];
        group.all_to_all_into(&x, &mut blocks)?;
        let mut other = x.clone();
        group.permute(&mut other, &next(n))?;
        for (got, want) in got.iter().zip([doubled, mean, all, block, blocks, other]) {
            assert_eq!(bits(&got.to_vec()?), bits(&want), "rank {rank} of {n}, call {call}");
        }
    }
    let stats = program.stats();
    // Workers that are threads share what one of them has compiled.
    assert!((stats.traces, stats.calls) == (1, 2) && stats.compiles <= 1, "{stats}");
    Ok(())
}

/// One number that depends on every element that a collective gives, squared.
fn loss(x: &Lazy, which: usize) -> Lazy {
    let ranks = Ranks::all();
    let (rank, n) = ranks.place().unwrap();
    let y = match which {
        0..6 => collectives(x)[which].clone(),
        _ => ranks.reduce_scatter(x, ReduceOp::Mean),
    };
    let weight = Lazy::full(&y.shape().unwrap(), (rank + 1) as f32);
    (&y * &y * weight * n as f32).sum_all()
}

/// The gradient of the sum of all ranks' losses is that which finite differences tell; they are exact for squares.
#[global_fn]
fn gradients(w: &Worker) -> Result<()> {
    let (n, rank) = (w.size(), w.rank());
    let x: Vec<f32> = (0..n).map(|i| ((i * 5 + rank * 3) % 7) as f32 - 3.0).collect();
    for which in 0..7 {
        let program = jit(move |x: Lazy| value_and_grad(&x, |x| loss(x, which)));
        let run = |x: &[f32]| -> Result<(f32, Vec<f32>)> {
            let (loss, gradient) = program.call(Lazy::new(&[n, 1], x))?;
            let mut sum = [loss.item::<f32>()?];
            w.all_reduce(&mut sum, ReduceOp::Sum)?;
            Ok((sum[0], gradient.to_vec()?))
        };
        let (_, gradient) = run(&x)?;
        let at_once = grad(&Lazy::new(&[n, 1], &x), |x| loss(x, which)).to_vec::<f32>()?;
        assert_eq!(bits(&gradient), bits(&at_once), "collective {which}");
        for changed in [0, n - 1] {
            let moved = |by: f32| {
                let mut x = x.clone();
                x[n - 1] += if changed == rank { by } else { 0.0 };
                run(&x).map(|(total, _)| total)
            };
            let slope = (moved(1.0)? - moved(-1.0)?) / 2.0;
            if changed == rank {
                let off = (gradient[n - 1] - slope).abs();
                assert!(off <= 1e-4 * slope.abs().max(1.0), "{which}: {gradient:?}, not {slope}");
            }
        }
    }
    let greatest = jit(|x: Lazy| grad(&x, |x| x.all_reduce(ReduceOp::Max).sum_all()));
    let error = greatest.call(Lazy::new(&[2], &x[..2])).map(drop).unwrap_err().to_string();
    assert!(error.contains("all_reduce of max has no gradient"), "{error}");
    assert!(error.contains("programs.rs:"), "{error}");
    Ok(())
}

/// A program whose second collective another rank has otherwise, or not at all.
#[global_fn]
fn different(w: &Worker, odd: usize, how: String) -> Result<f32> {
    let is_odd = w.rank() == odd;
    let program = jit(move |x: Lazy| {
        let sum = x.all_reduce(ReduceOp::Sum);
        match how.as_str() {
            "same" => sum.all_reduce(ReduceOp::Sum).sum_all(),
            _ if !is_odd => (&sum * 2.0).all_reduce(ReduceOp::Sum).sum_all(),
            "operation" => sum.all_gather().sum_all(),
            "length" => sum.slice(0, 0, 1).all_reduce(ReduceOp::Sum).sum_all(),
            "absent" => x.sum_all(),
            _ => sum.sum_all(),
        }
    });
    program.call(Lazy::new(&[2], &[1.0_f32, 2.0]))?.item()
}

/// A training of which every worker has as many pieces of a batch, from the seed alone.
#[global_fn]
fn weights_after(w: &Worker, pieces: usize) -> Result<Vec<f32>> {
    let (n, rank) = (w.size(), w.rank());
    let ranks = Static(Ranks::all().order(Order::XorTree));
    type Given = (Linear, Vec<(Lazy, Lazy)>, Static<Ranks>);
    let step = jit(|(layer, pieces, ranks): Given| {
        let of_piece = |(x, labels): &(Lazy, Lazy)| {
            grad(&layer, |layer| layer.apply(x).cross_entropy(labels).mean_all())
        };
        let own = nn::sum_of(pieces.iter().map(of_piece).collect());
        let sum = nn::all_reduce(own, &ranks.0, ReduceOp::Sum);
        layer.zip(&sum, |weight, gradient| weight - gradient * 0.025)
    });
    let mut layer = with_default_device(w.device()?, || Linear::init(&Key::new(1), 5, 3));
    for round in 0..4 {
        let piece = |p: usize| {
            let labels: Vec<i32> = (0..8).map(|i| (i * 3 + p as i32) % 3).collect();
            (Lazy::new(&[8, 5], &numbers(p + 50 * round, 40)), Lazy::new(&[8], &labels))
        };
        let own = (rank * pieces / n..(rank + 1) * pieces / n).map(piece).collect();
        layer = step.call((layer, own, ranks.clone()))?;
    }
    Ok([layer.weight.to_vec::<f32>()?, layer.bias.to_vec()?].concat())
}

/// Two layers, cut among the workers of each group, and their gradients; the gradient of the bias that all have.
#[global_fn]
fn tensor_parallel(w: &Worker) -> Result<()> {
    type Layers = (Linear, Linear);
    let [first, second] = Key::new(3).split();
    let whole = (Linear::init(&first, 4, 6), Linear::init(&second, 6, 2));
    let x = Lazy::new(&[3, 4], &numbers(w.group(), 12));
    let square = |y: Lazy| (&y * &y).mean_all();
    let of_whole = |layers: &Layers| square(layers.1.apply(&layers.0.apply(&x).tanh()));
    let (loss, want) = value_and_grad(&whole, of_whole);

    let ranks = Ranks::in_group();
    let size = ranks.place()?.1 as f32;
    let cut = (ColumnParallel::of(&whole.0, &ranks), RowParallel::of(&whole.1, &ranks));
    let step = jit(move |(layers, x): ((ColumnParallel, RowParallel), Lazy)| {
        let (loss, mut gradient) = value_and_grad(&layers, |(first, second)| {
            square(second.apply(&first.apply(&x).tanh())) / size
        });
        let ranks = gradient.1.ranks.0.clone();
        gradient.1.bias = ranks.all_reduce(&gradient.1.bias, ReduceOp::Sum);
        (loss * size, gradient)
    });
    let (own_loss, (first, second)) = step.call((cut, x.clone()))?;
    let close = |a: &Lazy, b: &Lazy| -> Result<()> {
        for (a, b) in a.to_vec::<f32>()?.into_iter().zip(b.to_vec::<f32>()?) {
            assert!((a - b).abs() < 1e-5 * b.abs().max(1.0), "{a}, not {b}");
        }
        Ok(())
    };
    close(&own_loss, &loss)?;
    close(&first.shard.weight, &nn::shard(&want.0.weight, &ranks, 1))?;
    close(&first.shard.bias, &nn::shard(&want.0.bias, &ranks, 0))?;
    close(&second.weight, &nn::shard(&want.1.weight, &ranks, 0))?;
    close(&second.bias, &want.1.bias)
}

fn builder(workers: usize) -> SessionBuilder {
    Session::builder().workers(workers).timeout(Duration::from_secs(20))
}

/// Sessions of each kind.
fn on_each_kind(workers: usize, test: impl Fn(&Session)) {
    kinds::on_each_kind(workers, |builder| test(&builder.start().unwrap()));
}

#[test]
fn a_node_computes_what_the_group_does() {
    for workers in [1, 3] {
        on_each_kind(workers, |session| nodes_and_calls::call(session).unwrap().wait().unwrap());
    }
}

#[test]
fn gradients_go_back_between_the_workers() {
    for workers in [2, 4] {
        gradients::call(&Session::threads(workers).unwrap()).unwrap().wait().unwrap();
    }
}

#[test]
fn a_difference_is_named_on_every_rank_before_anything_runs() {
    on_each_kind(3, |session| {
        let run = |how: &str| different::call(session, 1, how.to_owned()).unwrap();
        let sum = "all_reduce sum among 3, of all, of f32[2]";
        let others = [
            ("operation", "all_gather among 3, of all, of f32[2]"),
            ("length", "all_reduce sum among 3, of all, of f32[1]"),
            ("missing", "nothing"),
        ];
        for (how, other) in others {
            let want = format!(
                "ranks disagree on the program in collective 2: ranks 0, 2 have {sum}, rank 1 has {other}"
            );
            for rank in 0..3 {
                let error: Error = run(how).get(rank).unwrap_err();
                assert!(error.to_string().contains(&want), "{error}");
            }
        }
        assert_eq!(run("same").get(2).unwrap(), 27.0);
        let error = run("absent").get(0).unwrap_err().to_string();
        assert!(error.contains("worker 1") && error.contains("agree"), "{error}");
    });
}

#[test]
fn one_batch_gives_the_same_weights_on_any_number_of_workers() {
    let weights = |workers| {
        let session = Session::threads(workers).unwrap();
        let all = weights_after::call(&session, 4).unwrap().gather().unwrap();
        assert!(all.iter().all(|own| bits(own) == bits(&all[0])));
        bits(&all[0])
    };
    let alone = weights(1);
    assert_eq!(alone.len(), 18);
    assert_eq!(alone, weights(2));
    assert_eq!(alone, weights(4));
}

#[test]
fn layers_that_are_cut_learn_as_whole_ones() {
    for (workers, groups) in [(1, 1), (2, 1), (4, 2)] {
        let session = builder(workers).groups(groups).start().unwrap();
        tensor_parallel::call(&session).unwrap().wait().unwrap();
    }
}

#[test]
fn what_no_rank_can_run_says_so() {
    let x = Lazy::new(&[2], &[1.0_f32, 2.0]);
    let needs = |error: Error| {
        assert!(error.to_string().contains("a collective needs ranks"), "{error}");
    };
    needs(x.all_reduce(ReduceOp::Sum).to_vec::<f32>().unwrap_err());
    needs(jit(|x: Lazy| x.all_gather()).call(x).unwrap_err());
}
