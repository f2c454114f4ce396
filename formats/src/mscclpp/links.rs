//! Channels and buffers of a GPU, and whether they lead anywhere.

use super::schema::{Block, ChannelType, Channels, File, Gpu};
use crate::error::ReadError;
use ringwood_base::Result;
use std::collections::HashMap;

#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) peer: u32,
    /// How many earlier channels of its type lead to the same peer.
    pub(super) ordinal: u32,
}

/// The memory channels and the port channels of a GPU, as it lists them.
pub(super) type Links = HashMap<ChannelType, Vec<Link>>;

/// The channels of every GPU.
///
/// # Errors
/// A GPU stands in the wrong place, or names GPUs that do not exist.
pub(super) fn of_file(file: &File<'_>) -> Result<Vec<Links>> {
    let of_gpu = |(gpu, due)| check(file, gpu, due).map(|()| of_gpu(gpu));
    file.gpus.iter().zip(0..).map(of_gpu).collect()
}

fn of_gpu(gpu: &Gpu<'_>) -> Links {
    let (mut links, mut seen) = (Links::new(), HashMap::new());
    // Switches have groups instead.
    for channels in gpu.channels.iter().filter(|c| c.channel_type != ChannelType::Switch) {
        let of_type = links.entry(channels.channel_type).or_default();
        for &peer in &channels.connected_to {
            let next = seen.entry((channels.channel_type, peer)).or_insert(0);
            of_type.push(Link { peer, ordinal: *next });
            *next += 1;
        }
    }
    links
}

/// The most channels of a GPU or a block: their lists are searched for every operation.
const MOST: usize = 1024;

fn check(file: &File<'_>, gpu: &Gpu<'_>, due: u32) -> Result<()> {
    let exists = |rank: u32| (rank as usize) < file.gpus.len();
    let refuse = |why: String| Err(ReadError::Gpu { gpu: gpu.id, why }.into());
    if gpu.id != due {
        return refuse(format!("it stands where GPU {due} belongs"));
    }
    // A list of none is searched as well.
    let ends = |c: &Channels| (c.connected_to.len() + c.rank_groups.len()).max(1);
    let of_gpu: usize = gpu.channels.iter().map(ends).sum();
    let ids = |block: &Block<'_>| -> usize {
        block.channels.iter().map(|c| c.channel_ids.len().max(1)).sum()
    };
    let buffers = |block: &Block<'_>| -> usize {
        block.remote_buffer_refs.iter().map(|r| r.remote_buffer_ids.len().max(1)).sum()
    };
    let of_blocks = gpu.threadblocks.iter().map(|b| ids(b).max(buffers(b))).max().unwrap_or(0);
    if of_gpu.max(of_blocks) > MOST {
        return refuse(format!(
            "more than {MOST} channels or remote buffers of the GPU or a block"
        ));
    }
    let peers = gpu.channels.iter().flat_map(|c| &c.connected_to);
    if let Some(peer) = peers.copied().find(|&p| !exists(p) || p == gpu.id) {
        return refuse(format!("a channel to GPU {peer}"));
    }
    if let Some(buffer) = gpu.remote_buffers.iter().find(|b| !exists(b.rank)) {
        return refuse(format!("a remote buffer of GPU {}, which is not there", buffer.rank));
    }
    for group in gpu.channels.iter().flat_map(|c| &c.rank_groups) {
        let mut distinct = group.ranks.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let whole = distinct.len() == group.size as usize && distinct.len() == group.ranks.len();
        if !whole || !distinct.last().is_some_and(|&rank| exists(rank)) {
            return refuse("a rank group is not `size` different GPUs".into());
        }
    }
    Ok(())
}
