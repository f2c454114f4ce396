//! Who started this process, as its environment tells.

use ringwood_base::{Error, Result};
use std::collections::BTreeMap;
use std::fmt;

/// Who started this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launcher {
    /// `mpirun` of Open MPI.
    OpenMpi,
    /// `mpiexec.hydra` of MPICH, Intel MPI and MVAPICH, or what speaks PMI like it.
    Hydra,
    /// `torchrun`, which starts no MPI.
    Torchrun,
    /// `srun`.
    Slurm,
    /// A PMIx server of which no more is known.
    Pmix,
    /// None that is known: MPI sees a single process.
    None,
}

/// `mpirun of Open MPI`.
impl fmt::Display for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Launcher::OpenMpi => "mpirun of Open MPI",
            Launcher::Hydra => "Hydra (MPICH, Intel MPI)",
            Launcher::Torchrun => "torchrun",
            Launcher::Slurm => "srun",
            Launcher::Pmix => "a PMIx server",
            Launcher::None => "no launcher",
        })
    }
}

impl Launcher {
    /// The file names of the libraries whose processes it starts, the first choice first.
    pub(crate) fn libraries(self) -> &'static [&'static str] {
        match self {
            Launcher::OpenMpi => &["libmpi.so.40", "libmpi_abi.so.1"],
            Launcher::Hydra => &["libmpi_abi.so.1", "libmpich.so.12", "libmpi.so.12"],
            // `srun --mpi=pmi2`, which MPICH speaks rather than Open MPI.
            Launcher::Slurm if std::env::var_os("PMI_RANK").is_some() => {
                &["libmpi_abi.so.1", "libmpich.so.12", "libmpi.so.12", "libmpi.so.40"]
            }
            _ => {
                &["libmpi_abi.so.1", "libmpi.so.40", "libmpich.so.12", "libmpi.so.12", "libmpi.so"]
            }
        }
    }
}

/// What the environment of a process tells of its launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Who started it.
    pub launcher: Launcher,
    /// Its rank among the processes of the launch, if that is told.
    pub rank: Option<usize>,
    /// Their number.
    pub size: Option<usize>,
    /// Its rank among those of its machine.
    pub local_rank: Option<usize>,
    /// Their number.
    pub local_size: Option<usize>,
}

/// The variables that a launcher sets: rank, size, and the same on the machine.
const RULES: [(Launcher, [&str; 4]); 5] = [
    (
        Launcher::OpenMpi,
        [
            "OMPI_COMM_WORLD_RANK",
            "OMPI_COMM_WORLD_SIZE",
            "OMPI_COMM_WORLD_LOCAL_RANK",
            "OMPI_COMM_WORLD_LOCAL_SIZE",
        ],
    ),
    (Launcher::Hydra, ["PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"]),
    (Launcher::Torchrun, ["RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"]),
    // A batch script has a rank too, but no step.
    (Launcher::Slurm, ["SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", ""]),
    (Launcher::Pmix, ["PMIX_RANK", "", "", ""]),
];

/// Names the library to load instead of the launcher's.
pub(crate) const VARIABLE: &str = "RINGWOOD_MPI";

/// What the MPI operator of Kubernetes says that a pod is.
const ROLE: &str = "K_MPI_JOB_ROLE";

impl Launch {
    /// What the environment of this process tells.
    ///
    /// # Errors
    /// See [`Launch::of`].
    pub fn of_this_process() -> Result<Self> {
        Self::of(
            &std::env::vars_os()
                .filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)))
                .collect(),
        )
    }

    /// What these variables tell. `mpirun` counts before `srun`: it runs inside of Slurm's jobs.
    ///
    /// ```
    /// use ringwood_mpi::{Launch, Launcher};
    ///
    /// let variables = [("PMI_RANK", "2"), ("PMI_SIZE", "4")];
    /// let launch = Launch::of(&variables.map(|(k, v)| (k.into(), v.into())).into())?;
    /// assert_eq!((launch.launcher, launch.rank), (Launcher::Hydra, Some(2)));
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// A launcher's variables are set in part, are no rank of a group, or two launchers tell different
    /// ranks: the error names the variables and their values. Or the process is the launcher of an MPI
    /// job on Kubernetes.
    pub fn of(variables: &BTreeMap<String, String>) -> Result<Self> {
        let mut found: Option<(Self, [&str; 4])> = None;
        for (launcher, names) in RULES {
            let Some(launch) = read(launcher, names, variables)? else { continue };
            let (first, others) = *found.get_or_insert((launch, names));
            if first.is_of_srun(&launch) {
                return Ok(launch);
            }
            // A daemon of `mpirun` is itself a task of `srun`, and its PMIx server numbers ranks.
            let nested = matches!(launcher, Launcher::Slurm | Launcher::Pmix);
            if !nested && (first.rank, first.size) != (launch.rank, launch.size) {
                let message = format!("{} and {launcher} tell different ranks", first.launcher);
                let shown = [show(&others[..2], variables), show(&names[..2], variables)];
                return Err(wrong(message, shown.join(" ")).help("unset those that do not hold"));
            }
        }
        if let Some((launch, _)) = found {
            return Ok(launch);
        }
        if variables.get(ROLE).is_some_and(|role| role == "launcher") {
            let message = "this is the launcher of an MPI job: it starts the ranks and is none";
            return Err(
                wrong(message.into(), show(&[ROLE], variables)).help("let it run `mpirun PROGRAM`")
            );
        }
        let launcher = Launcher::None;
        Ok(Self { launcher, rank: None, size: None, local_rank: None, local_size: None })
    }

    /// Whether `srun --mpi=pmi2` has set these variables of PMI: as Hydra does, but for the ranks of the machine.
    fn is_of_srun(&self, other: &Self) -> bool {
        let same = (self.rank, self.size) == (other.rank, other.size);
        let pmi = self.launcher == Launcher::Hydra && self.local_size.is_none();
        other.launcher == Launcher::Slurm && pmi && same
    }

    /// Compares with what MPI says.
    ///
    /// # Errors
    /// It sees other processes: the library does not belong to the launcher, or the launcher starts
    /// no MPI.
    pub(crate) fn check(&self, rank: usize, size: usize, library: &str) -> Result<()> {
        let Self { launcher, rank: told, size: of, .. } = *self;
        if of.is_none_or(|of| of == size) && told.is_none_or(|told| told == rank) {
            return Ok(());
        }
        let number = |n: Option<usize>| n.map_or("?".to_owned(), |n| n.to_string());
        let (told, of) = (number(told), number(of));
        let alone = if size == 1 { ", alone" } else { "" };
        Err(Error::mismatch(format!(
            "{launcher} started this process as rank {told} of {of}, and `{library}` says that it is \
             rank {rank} of {size}{alone}"
        )).help(match launcher {
            Launcher::Torchrun => "torchrun starts no MPI: start the program with `mpirun`".into(),
            Launcher::Slurm => {
                "choose a plug-in that the library speaks: `srun --mpi=pmix` for Open MPI, \
                 `srun --mpi=pmi2` for MPICH; `srun --mpi=list` lists them"
                    .to_owned()
            }
            _ => format!(
                "use the launcher of this library, or name the launcher's library in {VARIABLE}"
            ),
        }))
    }
}

/// What a launcher tells, if it set any of rank and size.
fn read(
    launcher: Launcher,
    names: [&str; 4],
    variables: &BTreeMap<String, String>,
) -> Result<Option<Launch>> {
    let wrong = |what: &str, names: &[&str]| {
        wrong(format!("the variables of {launcher} {what}"), show(names, variables))
    };
    let needed = names[..2].iter().copied().filter(|name| !name.is_empty());
    let present = needed.clone().filter(|name| variables.contains_key(*name)).count();
    // The rank of a batch script is that of no step.
    let batch = launcher == Launcher::Slurm && !variables.contains_key(names[1]);
    if present == 0 || batch {
        return Ok(None);
    }
    if present < needed.count() {
        return Err(wrong("are set in part", &names[..2]).help("set both, or none"));
    }
    let mut numbers = [None; 4];
    for (number, name) in numbers.iter_mut().zip(names) {
        let parse = |text: &String| text.parse().map_err(|_| wrong("are no numbers", &[name]));
        *number = variables.get(name).map(parse).transpose()?;
    }
    for (place, names) in numbers.chunks(2).zip(names.chunks(2)) {
        if let [Some(rank), Some(size)] = place
            && rank >= size
        {
            return Err(wrong("name no rank of a group", names));
        }
    }
    let [rank, size, local_rank, local_size] = numbers;
    Ok(Some(Launch { launcher, rank, size, local_rank, local_size }))
}

fn wrong(message: String, shown: String) -> Error {
    Error::invalid(format!("{message}: {shown}"))
}

/// `PMI_RANK=2, PMI_SIZE is not set`.
fn show(names: &[&str], variables: &BTreeMap<String, String>) -> String {
    let one = |name: &&str| match variables.get(*name) {
        Some(value) => format!("{name}={value}"),
        None => format!("{name} is not set"),
    };
    names.iter().filter(|name| !name.is_empty()).map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
