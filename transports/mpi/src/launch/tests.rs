use super::*;
use ringwood_base::ErrorKind;

fn of(text: &str) -> Result<Launch> {
    let pairs = text.split_whitespace().filter_map(|pair| pair.split_once('='));
    Launch::of(&pairs.map(|(name, value)| (name.into(), value.into())).collect())
}

#[test]
fn what_each_launcher_sets_is_read() {
    let cases = [
        ("", Launcher::None, None, None),
        (
            "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4 PMIX_RANK=1 OMPI_COMM_WORLD_LOCAL_RANK=0",
            Launcher::OpenMpi,
            Some((1, 4)),
            Some(0),
        ),
        (
            "PMI_RANK=3 PMI_SIZE=4 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2",
            Launcher::Hydra,
            Some((3, 4)),
            Some(1),
        ),
        ("RANK=0 WORLD_SIZE=2 LOCAL_RANK=0", Launcher::Torchrun, Some((0, 2)), Some(0)),
        (
            "SLURM_PROCID=7 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=3",
            Launcher::Slurm,
            Some((7, 8)),
            Some(3),
        ),
        // The script of a batch job is no step; `mpirun` in a job is a launcher of its own, whose
        // daemons are tasks of Slurm.
        ("SLURM_PROCID=0 SLURM_NTASKS=8", Launcher::None, None, None),
        (
            "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 PMI_RANK=5 PMI_SIZE=8",
            Launcher::Hydra,
            Some((5, 8)),
            None,
        ),
        // `srun --mpi=pmi2`, and one rank of Hydra on each machine of a job.
        (
            "SLURM_PROCID=5 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=1 PMI_RANK=5 PMI_SIZE=8 PMI_FD=9",
            Launcher::Slurm,
            Some((5, 8)),
            Some(1),
        ),
        (
            "SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 PMI_RANK=1 PMI_SIZE=2 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=1",
            Launcher::Hydra,
            Some((1, 2)),
            Some(0),
        ),
        ("RANK=1 WORLD_SIZE=4 PMI_RANK=1 PMI_SIZE=4", Launcher::Hydra, Some((1, 4)), None),
        ("K_MPI_JOB_ROLE=worker PMI_RANK=1 PMI_SIZE=4", Launcher::Hydra, Some((1, 4)), None),
    ];
    for (text, launcher, place, local) in cases {
        let launch = of(text).unwrap();
        assert_eq!(launch.launcher, launcher, "{text}");
        assert_eq!(launch.rank.zip(launch.size), place, "{text}");
        assert_eq!(launch.local_rank, local, "{text}");
    }
    assert_eq!(of("PMIX_RANK=2").unwrap().rank, Some(2));
}

#[test]
fn variables_that_are_no_place_are_errors_that_name_them() {
    let cases = [
        ("PMI_RANK=2", "PMI_RANK=2, PMI_SIZE is not set"),
        ("OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK is not set, OMPI_COMM_WORLD_SIZE=2"),
        ("SLURM_STEP_NUM_TASKS=2", "SLURM_PROCID is not set, SLURM_STEP_NUM_TASKS=2"),
        ("RANK=0", "RANK=0, WORLD_SIZE is not set"),
        ("PMI_RANK=4 PMI_SIZE=4", "no rank of a group: PMI_RANK=4, PMI_SIZE=4"),
        ("PMI_RANK=0 PMI_SIZE=0", "PMI_RANK=0, PMI_SIZE=0"),
        ("PMI_RANK=-1 PMI_SIZE=4", "no numbers: PMI_RANK=-1"),
        ("PMI_RANK=0 PMI_SIZE=4 MPI_LOCALRANKID=2 MPI_LOCALNRANKS=2", "MPI_LOCALRANKID=2"),
        ("PMI_RANK=0 PMI_SIZE=4 RANK=1 WORLD_SIZE=4", "PMI_SIZE=4 RANK=1, WORLD_SIZE=4"),
        ("K_MPI_JOB_ROLE=launcher", "K_MPI_JOB_ROLE=launcher"),
    ];
    for (text, wanted) in cases {
        let error = of(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{text}");
        assert!(error.message().contains(wanted), "{text}: {error}");
    }
}

#[test]
fn other_processes_than_were_started_are_a_mismatch() {
    let launch = of("PMI_RANK=1 PMI_SIZE=4").unwrap();
    launch.check(1, 4, "libmpich.so.12").unwrap();
    let error = launch.check(0, 1, "libmpi.so.40").unwrap_err();
    assert_eq!(
        error.message(),
        "Hydra (MPICH, Intel MPI) started this process as rank 1 of 4, and `libmpi.so.40` says that it \
         is rank 0 of 1, alone"
    );
    assert!(launch.check(2, 4, "libmpich.so.12").is_err());
    let slurm = of("SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2").unwrap().check(0, 1, "libmpi.so.40");
    assert!(slurm.unwrap_err().to_string().contains("--mpi=pmix"));
    of("").unwrap().check(0, 1, "libmpi.so.40").unwrap();
}
