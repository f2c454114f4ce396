// expects: two different variables are called `t` here
use ringwood::kernel;

macro_rules! scaled {
    ($name:ident, $x:ident, $e:expr) => {
        #[kernel(map, device = cpu)]
        fn $name($x: f32) -> f32 {
            let t = $x * 2.0;
            t + $e
        }
    };
}

scaled!(f, t, t * 3.0);

fn main() {}
