//! Ranks on several machines: processes of this one that have host names of their own.

use crate::support;
use ringwood_base::{DType, Result};
use ringwood_collective::Communicator;
use ringwood_collectives::all_reduce as of;
use ringwood_mpi::Launch;
use ringwood_schedule::{Arrangement, Collective, Operation, ReduceOp, Request};

/// The variable that says how many machines the ranks of a scenario have.
pub(crate) const NODES: &str = "NODES";

/// What a rank says whose system gives it no name of its own.
pub(crate) const REFUSED: &str = "no host name of its own";

/// Gives the machine of this rank its name, which holds for this thread; the first ranks are on the first machine.
/// Whether the system lets it.
pub(crate) fn settle() -> bool {
    let Ok(nodes) = std::env::var(NODES) else { return true };
    let launch = Launch::of_this_process().unwrap();
    let node = launch.rank.unwrap() * nodes.parse::<usize>().unwrap() / launch.size.unwrap();
    let name = format!("node{node}");
    // SAFETY: takes numbers, and a name of that length.
    unsafe {
        libc::unshare(libc::CLONE_NEWUTS) == 0
            && libc::sethostname(name.as_ptr().cast(), name.len()) == 0
    }
}

/// All-reduces among which groups of these tests choose.
pub(crate) const ALL: [(&str, &dyn Collective); 9] = [
    ("binomial", &of::Binomial),
    ("chain", &of::Chain),
    ("double_tree", &of::DoubleTree),
    ("hierarchical", &of::Hierarchical),
    ("rabenseifner", &of::Rabenseifner),
    ("recursive_doubling", &of::RecursiveDoubling),
    ("swing", &of::Swing),
    ("two_shot", &of::TwoShot),
    ("two_shot_aside", &of::TwoShotAside),
];

/// Two ranks on each of two machines choose the algorithm that crosses between them least, and it gives the bits of
/// threads that are arranged alike. Groups on one machine choose another one.
pub(crate) fn two(comm: &Communicator) -> Result<String> {
    let chosen = |comm: &Communicator| -> Result<String> {
        let request = Request::new(Operation::AllReduce, comm.size(), 1 << 20, DType::F32);
        Ok(comm.explain(&request)?.candidates[0].name.to_string())
    };
    let sum = |comm: &Communicator| -> Result<Vec<u32>> {
        let number = |i| 1e-3 * ((comm.rank() * 7_919 + i) * 2_654_435_761 % 1_000_003) as f32;
        let mut data: Vec<f32> = (0..200_003).map(number).collect();
        comm.with("hierarchical").all_reduce(&mut data, ReduceOp::Sum)?;
        Ok(data.into_iter().map(f32::to_bits).collect())
    };
    let here = sum(comm)?;
    if comm.rank() == 0 {
        let threads = support::group(4).registry(support::registry_with(ALL));
        let threads = threads.arrangement(Arrangement::of_tasks(&[2, 2])?).spmd(sum)?;
        assert!(here == threads[0]);
    }
    let near = comm.split(Some(comm.rank() / 2), 0)?.expect("every rank has a colour");
    let mut whose = [comm.rank() as u64];
    near.with("ring").all_reduce(&mut whose, ReduceOp::Sum)?;
    assert_eq!(whose[0], if comm.rank() < 2 { 1 } else { 5 });
    Ok(format!("{}, inside {}", chosen(comm)?, chosen(&near)?))
}
