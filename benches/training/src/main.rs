//! What a training step costs beside candle and burn: the same models, weights and optimisers, on the same threads,
//! in turns.
//!
//! ```sh
//! RINGWOOD_THREADS=2 RAYON_NUM_THREADS=2 cargo run --release
//! ```

mod given;
mod with_burn;
mod with_candle;
mod with_ringwood;

use std::time::{Duration, Instant};

/// Takes a step; the loss before it.
type Step = Box<dyn FnMut() -> f32>;

const NAMES: [&str; 3] = ["ringwood", "candle", "burn"];
/// How often each has its turn, and for how long.
const ROUNDS: usize = 15;
const TURN: Duration = Duration::from_millis(150);

fn main() -> candle_core::Result<()> {
    println!(
        "µs for a step; ringwood's time over that of the other, and its range over {ROUNDS} rounds"
    );
    beside("digits", [with_ringwood::digits(), with_candle::digits()?, with_burn::digits()]);
    beside("convnet", [with_ringwood::convnet(), with_candle::convnet()?, with_burn::convnet()]);
    beside("block", [with_ringwood::block(), with_candle::block()?, with_burn::block()]);
    Ok(())
}

fn beside(model: &str, mut steps: [Step; 3]) {
    agree(model, &mut steps);
    let rounds: Vec<[f64; 3]> = (0..ROUNDS).map(|_| steps.each_mut().map(turn)).collect();
    for (i, name) in NAMES.iter().enumerate() {
        let time = sorted(rounds.iter().map(|round| round[i]))[ROUNDS / 2];
        let ratios = sorted(rounds.iter().map(|round| round[0] / round[i]));
        let [least, middle, most] = [0, ROUNDS / 2, ROUNDS - 1].map(|at| ratios[at]);
        println!("{model:8} {name:9} {time:8.1}   {middle:.2} ({least:.2} to {most:.2})");
    }
}

/// The first losses differ by rounding alone, or the models are not the same.
fn agree(model: &str, steps: &mut [Step; 3]) {
    for taken in 0..20 {
        let losses = steps.each_mut().map(|step| step());
        let apart = losses.map(|loss| (loss - losses[0]).abs() / losses[0]);
        assert!(apart.iter().all(|&apart| apart < 1e-3), "{model}, step {taken}: {losses:?}");
    }
}

/// The median time of a step, in microseconds. Threads of the last turn look for work for a while.
fn turn(step: &mut Step) -> f64 {
    std::thread::sleep(Duration::from_millis(20));
    let (start, mut times) = (Instant::now(), Vec::new());
    while times.len() < 5 || start.elapsed() < TURN {
        let start = Instant::now();
        step();
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    let count = times.len();
    sorted(times.into_iter())[count / 2]
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}
