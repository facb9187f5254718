import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createConversationFolder } from '../../src/core/conversation/conversationFolder';
import type { Conversation } from '../../src/core/conversation/conversationFolder';
import { type ConversationRecord, historyVersion, toLines } from '../../src/core/conversation/record';
import { compactForNext } from '../../src/core/conversation/requestMessages';
import { toTurn } from '../../src/features/chat/logic/turnView';
import type { Turn } from '../../src/protocol/chat';
import type { BenchLine } from '../host/benchLine';
import { longTalk } from '../support/longTalk';

const turns = 1000;
const rounds = 7;
const id = 'long';
/** The length of a piece when 250 tokens per second are collected for 40 ms. */
const pieceLength = 40;
const megabyte = 1_000_000;

/** Measures the extension host's part of opening 2,000 messages: CPU of the process, without VS Code's own messaging. */
export async function run(): Promise<readonly BenchLine[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'long-chat-'));
  try {
    const file = path.join(folder, `${id}.jsonl`);
    await writeFile(file, toLines(longTalk(turns).flatMap(toRecords)));
    const { size } = await stat(file);
    const reading: number[] = [];
    const describing: number[] = [];
    const folding: number[] = [];
    let posted = 0;
    for (let round = 0; round < rounds; round += 1) {
      let conversation: Conversation | undefined;
      reading.push(
        await measure(async () => (conversation = await createConversationFolder(folder, Date.now).open(id))),
      );
      if (!conversation) throw new Error('The conversation could not be read.');
      const { transcript } = conversation;
      describing.push(await measure(() => (posted = JSON.stringify(snapshotTurns(transcript)).length)));
      const options = { answering: false };
      folding.push(await measure(() => compactForNext(transcript.sentTurns(), 10, options)));
      await conversation.close();
    }
    return [
      { name: 'history of 2,000 messages, read from its file', ours: Math.min(...reading), unit: 'ms CPU' },
      { name: 'its file', ours: size / megabyte, unit: 'MB' },
      { name: 'its turns, told to the page as JSON', ours: Math.min(...describing), unit: 'ms CPU' },
      { name: 'what is posted of them, once', ours: posted / megabyte, unit: 'MB' },
      { name: 'what the next request folds of them', ours: Math.min(...folding), unit: 'ms CPU' },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const snapshotTurns = (transcript: Conversation['transcript']): readonly Turn[] =>
  transcript
    .turns()
    .map((turn) => toTurn(turn, transcript.siblings(turn.id), (answer) => ({ answer, calls: new Map() })));

/** Returns milliseconds of CPU, including the system's share. */
async function measure(work: () => unknown): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns the records that the chat writes for a turn while its answer is streaming. */
export function toRecords(turn: Turn, index: number): readonly ConversationRecord[] {
  const { id: question, question: text, askedAt: at, answer } = turn;
  const answerId = turn.tryId ?? '';
  const first: readonly ConversationRecord[] =
    index === 0 ? [{ kind: 'conversation', version: historyVersion, id, createdAt: at }] : [];
  const parent = index === 0 ? {} : { after: `try ${index - 1}` };
  const blocks = answer.blocks.flatMap((block, place): readonly ConversationRecord[] => [
    { kind: 'block', answer: answerId, index: place, type: block.kind === 'toolUse' ? 'tool_use' : 'text' },
    ...Array.from({ length: Math.ceil(block.text.length / pieceLength) }, (_, piece) => {
      const from = piece * pieceLength;
      const part = block.text.slice(from, from + pieceLength);
      return { kind: 'piece', answer: answerId, index: place, from, text: part } as const;
    }),
  ]);
  return [
    ...first,
    { kind: 'question', id: question, parent: index === 0 ? null : `turn ${index - 1}`, ...parent, at, text },
    { kind: 'answer', id: answerId, question, at, model: answer.model },
    ...blocks,
    {
      kind: 'end',
      answer: answerId,
      at,
      end: { state: 'done', stopReason: 'end_turn', inputTokens: 900, outputTokens: 400 },
    },
  ];
}
