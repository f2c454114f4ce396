//! A network of two layers learns handwritten digits, stops, and goes on from its checkpoint: the weights are bitwise those
//! of a training that never stopped.
//!
//! ```sh
//! cargo run --release
//! ```

use ringwood::nn::{self, Data, Key, Linear, Sgd};
use ringwood::prelude::*;

const BATCH: usize = 32;
const EPOCHS: u64 = 20;

#[derive(Clone, Tensors)]
struct Network {
    hidden: Linear,
    output: Linear,
}

impl Network {
    fn init(key: &Key) -> Self {
        let [hidden, output] = key.split();
        Self {
            hidden: Linear::init(&hidden, nn::PIXELS, 64),
            output: Linear::init(&output, 64, nn::CLASSES),
        }
    }

    fn apply(&self, images: &Lazy) -> Lazy {
        self.output.apply(&self.hidden.apply(images).relu())
    }
}

/// All that a training goes on from.
#[derive(Clone, Tensors)]
struct Training {
    network: Network,
    velocity: Network,
}

const SGD: Sgd = Sgd { momentum: 0.9 };

/// A step along the gradient of a batch; the loss before it.
fn step((training, images, labels, rate): (Training, Lazy, Lazy, Lazy)) -> (Training, Lazy) {
    let Training { network, velocity } = training;
    let (loss, gradient) = value_and_grad(&network, |network| {
        network.apply(&images).cross_entropy(&labels).mean_all()
    });
    let (network, velocity) = SGD.update(&rate, network, &gradient, velocity);
    (Training { network, velocity }, loss)
}

fn main() -> ringwood::Result<()> {
    let (train, test) = nn::digits()?.split(359, 1)?;
    let path = std::env::temp_dir().join(format!("digits-{}.safetensors", std::process::id()));
    let network = Network::init(&Key::new(1));
    let start = Training { velocity: SGD.init(&network), network };
    let rate = Lazy::scalar(0.05_f32);

    let step = jit(step);
    let epochs = |mut training: Training, epochs: std::ops::Range<u64>| -> ringwood::Result<_> {
        for epoch in epochs {
            let mut last = None;
            for batch in train.batches(BATCH, epoch) {
                let [images, labels] = batch?;
                let loss;
                (training, loss) = step.call((training, images, labels, rate.clone()))?;
                last = Some(loss);
            }
            if let (Some(loss), 0) = (last, epoch % 5) {
                println!("epoch {epoch}: loss {:.4}", loss.item::<f32>()?);
            }
        }
        Ok(training)
    };
    let half = epochs(start.clone(), 0..EPOCHS / 2)?;
    nn::save(&path, &half)?;
    let resumed = epochs(nn::load(&path, &start)?, EPOCHS / 2..EPOCHS)?;
    let whole = epochs(half, EPOCHS / 2..EPOCHS)?;
    std::fs::remove_file(&path).ok();
    for (whole, resumed) in whole.leaves().into_iter().zip(resumed.leaves()) {
        assert_eq!(whole.to_bytes()?, resumed.to_bytes()?, "a training that resumes ends the same");
    }

    let right = accuracy(&whole.network, &test)?;
    println!(
        "{right} of {} held-out digits are told right; resumed: the same weights, bitwise",
        test.rows()
    );
    println!("{}", step.stats());
    Ok(())
}

/// How many digits the network tells right.
fn accuracy(network: &Network, test: &Data<2>) -> ringwood::Result<usize> {
    let [images, labels] = test.all()?;
    let seen = network.apply(&images).argmax(-1).to_vec::<i32>()?;
    Ok(seen.iter().zip(labels.to_vec::<i32>()?).filter(|(seen, label)| **seen == *label).count())
}
