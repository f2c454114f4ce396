//! The objects of the file, as they are written. Unknown fields are ignored with a warning, as MSCCL++
//! ignores them, which reads fields by name; so are some that change nothing here, as the number of
//! threads.
//!
//! Operations stay text until their turn comes: a large plan has many of them, and where its text lies
//! tells the line of each.

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
pub(super) struct File<'f> {
    pub(super) name: String,
    pub(super) collective: String,
    pub(super) protocol: String,
    pub(super) inplace: bool,
    #[serde(default, rename = "reuse_resources")]
    pub(super) _reuse_resources: bool,
    #[serde(default, rename = "use_double_scratch_buffer")]
    pub(super) _use_double_scratch_buffer: bool,
    #[serde(default, rename = "buffer_alignment")]
    pub(super) _buffer_alignment: u64,
    #[serde(default, rename = "num_threads_per_block")]
    pub(super) _num_threads_per_block: u32,
    #[serde(default)]
    pub(super) min_message_size: u64,
    #[serde(default = "unbounded")]
    pub(super) max_message_size: u64,
    #[serde(borrow)]
    pub(super) gpus: Vec<Gpu<'f>>,
}

fn unbounded() -> u64 {
    u64::MAX
}

#[derive(Deserialize)]
pub(super) struct Gpu<'f> {
    pub(super) id: u32,
    pub(super) input_chunks: u32,
    pub(super) output_chunks: u32,
    pub(super) scratch_chunks: u32,
    #[serde(borrow, default)]
    pub(super) threadblocks: Vec<Block<'f>>,
    #[serde(default)]
    pub(super) channels: Vec<Channels>,
    #[serde(default)]
    pub(super) remote_buffers: Vec<RemoteBuffer>,
    #[serde(default)]
    pub(super) semaphores: Vec<Semaphore>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ChannelType {
    Memory,
    Port,
    Switch,
}

#[derive(Deserialize)]
pub(super) struct Channels {
    pub(super) channel_type: ChannelType,
    #[serde(default)]
    pub(super) connected_to: Vec<u32>,
    pub(super) buffer_type: Option<Buffer>,
    #[serde(default)]
    pub(super) rank_groups: Vec<RankGroup>,
}

#[derive(Deserialize)]
pub(super) struct RankGroup {
    pub(super) size: u32,
    pub(super) ranks: Vec<u32>,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) enum Buffer {
    #[serde(rename = "i")]
    Input,
    #[serde(rename = "o")]
    Output,
    #[serde(rename = "s")]
    Scratch,
}

#[derive(Deserialize)]
pub(super) struct RemoteBuffer {
    pub(super) rank: u32,
    #[serde(rename = "type")]
    pub(super) buffer: Buffer,
    #[serde(default)]
    pub(super) access_channel_types: Vec<ChannelType>,
}

#[derive(Deserialize)]
pub(super) struct Semaphore {
    pub(super) init_value: u32,
}

#[derive(Deserialize)]
pub(super) struct Block<'f> {
    pub(super) id: u32,
    #[serde(borrow, default)]
    pub(super) ops: Vec<&'f RawValue>,
    #[serde(default)]
    pub(super) channels: Vec<BlockChannels>,
    #[serde(default)]
    pub(super) remote_buffer_refs: Vec<RemoteRefs>,
}

#[derive(Deserialize)]
pub(super) struct BlockChannels {
    pub(super) channel_type: ChannelType,
    pub(super) channel_ids: Vec<u32>,
}

#[derive(Deserialize)]
pub(super) struct RemoteRefs {
    pub(super) access_channel_type: ChannelType,
    pub(super) remote_buffer_ids: Vec<u32>,
}

#[derive(Deserialize)]
pub(super) struct Op<'f> {
    pub(super) name: String,
    #[serde(default)]
    pub(super) src_buff: Vec<Reference>,
    #[serde(default)]
    pub(super) dst_buff: Vec<Reference>,
    pub(super) channel_type: Option<ChannelType>,
    #[serde(default)]
    pub(super) channel_ids: Vec<u32>,
    pub(super) tbg_info: Option<GroupPart>,
    pub(super) reduce_op: Option<String>,
    pub(super) barrier_id: Option<u32>,
    pub(super) num_threadblocks: Option<u32>,
    #[serde(default)]
    pub(super) semaphore_ids: Vec<u32>,
    pub(super) iter_context: Option<Iterations>,
    #[serde(borrow, default)]
    pub(super) ops: Vec<&'f RawValue>,
}

/// Chunks of a buffer: of this rank by `type`, of another by `buffer_id`, of a group by
/// `switch_channel_id`.
#[derive(Deserialize)]
pub(super) struct Reference {
    #[serde(rename = "type")]
    pub(super) buffer: Option<Buffer>,
    pub(super) buffer_id: Option<u32>,
    pub(super) switch_channel_id: Option<u32>,
    pub(super) index: u32,
    pub(super) size: u32,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct GroupPart {
    pub(super) tb_id: u32,
    pub(super) tbg_size: u32,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) struct Iterations {
    pub(super) unit_size: u64,
    pub(super) num_chunks: u32,
}
