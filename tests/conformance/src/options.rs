//! What to run, and what is known not to pass.

use crate::suites::cases;
use ringwood_base::Error;
use std::time::Duration;

/// What to run, and what is known not to pass.
///
/// ```
/// use ringwood_conformance::Options;
///
/// let options = Options::default()
///     .only("mychip")
///     .unsupported("peer_copy", "one device only")
///     .expected_failure("many_streams@sync", "the driver loses events");
/// assert_eq!(options.seeds, 100);
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The backends to run, all registered ones if empty.
    pub backends: Vec<String>,
    /// The cases and suites to run, all of them if empty.
    pub cases: Vec<String>,
    /// The backends whose absence is a failure.
    pub required: Vec<String>,
    /// How many seeds the cases about order run on streams that take one (`chaos:SEED`).
    pub seeds: u64,
    /// The bound on the time of one case on one device and kind of stream.
    pub bound: Duration,
    pub(crate) exclusions: Vec<Exclusion>,
}

/// A case, or suite, that is known not to pass.
#[derive(Clone, Debug)]
pub(crate) struct Exclusion {
    /// A case or a suite.
    pub(crate) name: String,
    /// Only on this kind of stream.
    pub(crate) kind: Option<String>,
    pub(crate) reason: String,
    pub(crate) for_ever: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            backends: Vec::new(),
            cases: Vec::new(),
            required: Vec::new(),
            seeds: 100,
            bound: Duration::from_secs(60),
            exclusions: Vec::new(),
        }
    }
}

impl Options {
    /// The defaults, with the required backends of `RINGWOOD_REQUIRE` (names, separated by commas).
    /// Names with a hyphen are not of backends but of tools that other tests require: `cuda-nvrtc`.
    pub fn from_env() -> Self {
        let text = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
        let mut required = names(&text);
        required.retain(|name| !name.contains('-'));
        Self { required, ..Self::default() }
    }

    /// Runs only this backend, and those named before.
    #[must_use]
    pub fn only(mut self, backend: &str) -> Self {
        self.backends.push(backend.into());
        self
    }

    /// Runs only this case, or suite, and those named before.
    #[must_use]
    pub fn case(mut self, name: &str) -> Self {
        self.cases.push(name.into());
        self
    }

    /// A case that the device will never pass, with the reason.
    #[must_use]
    pub fn unsupported(self, name: &str, reason: &str) -> Self {
        self.exclude(name, reason, true)
    }

    /// A case that the device should pass and does not yet, with the reason.
    #[must_use]
    pub fn expected_failure(self, name: &str, reason: &str) -> Self {
        self.exclude(name, reason, false)
    }

    /// An error for each name, among those to run and those excluded, that no case and no suite has.
    pub fn unknown(&self) -> Vec<Error> {
        let cases = cases();
        let mut suites: Vec<_> = cases.iter().map(|case| case.suite).collect();
        suites.dedup();
        let help = format!("the suites are {}", suites.join(", "));
        let names = self.cases.iter().chain(self.exclusions.iter().map(|e| &e.name));
        let unknown = names.filter(|name| !cases.iter().any(|case| case.is(name)));
        unknown
            .map(|name| Error::not_found(format!("no case or suite `{name}`")).help(help.clone()))
            .collect()
    }

    fn exclude(mut self, name: &str, reason: &str, for_ever: bool) -> Self {
        let (name, kind) = match name.split_once('@') {
            Some((name, kind)) => (name, Some(kind.into())),
            None => (name, None),
        };
        let (name, reason) = (name.into(), reason.into());
        self.exclusions.push(Exclusion { name, kind, reason, for_ever });
        self
    }
}

/// The names in a list separated by commas.
fn names(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_names_forgives_spaces_and_stray_commas() {
        assert_eq!(names("cpu, opencl,,"), ["cpu", "opencl"]);
        assert!(names("").is_empty());
        assert!(names(" , ").is_empty());
    }
}
