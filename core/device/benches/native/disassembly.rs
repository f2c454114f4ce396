//! Counts the packed instructions of each kernel in this program: symbols of the versions for AVX2, one
//! for each kernel, in the order of their hashes.

use ringwood_base::{Error, Result};
use std::collections::BTreeMap;
use std::process::Command;

/// Arithmetic on one number and on several, of the function for each kernel compiled for AVX2.
pub(crate) fn report() -> Result<()> {
    let failed = |what: String| Error::unsupported(what);
    let program = std::env::current_exe().map_err(|e| failed(format!("this program: {e}")))?;
    let output = Command::new("objdump")
        .args(["-d", "--no-show-raw-insn"])
        .arg(program)
        .output()
        .map_err(|e| failed(format!("objdump: {e}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut function = None;
    for line in text.lines() {
        if let Some(name) = line.strip_suffix(">:").and_then(|l| l.split_once(" <")) {
            let fast = ["version9unchecked", "version4fast"];
            function = fast.iter().any(|fast| name.1.contains(fast)).then_some(name.1);
        } else if let Some(function) = function
            && let Some(instruction) = line.split('\t').nth(1)
        {
            let name = instruction.split_whitespace().next().unwrap_or_default();
            let arithmetic = ["add", "mul", "sub", "fmadd", "fnmadd", "max", "min"];
            let is = |end: &str| {
                name.starts_with('v')
                    && name.ends_with(end)
                    && arithmetic.iter().any(|a| name.contains(a))
            };
            let count = counts.entry(function).or_default();
            count[0] += usize::from(is("ss") || is("sd"));
            count[1] += usize::from(is("ps") || is("pd"));
        }
    }
    println!("{:>8} {:>8}   function", "scalar", "packed");
    for (function, [scalar, packed]) in &counts {
        println!("{scalar:>8} {packed:>8}   {function}");
    }
    match counts.values().find(|[_, packed]| *packed == 0) {
        None if !counts.is_empty() => Ok(()),
        None => Err(failed("no function for AVX2: is this an x86-64 release build?".into())),
        Some(_) => Err(failed("a kernel without packed arithmetic".into())),
    }
}
