import { mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { BenchLine } from '../host/benchLine';
import { findProgram } from '../host/aptInstall';
import { bundleProgram, runProgram, startProgram } from '../support/programs';

interface Upload {
  readonly seconds: number;
  readonly overIdleMb: number;
}

const megabytes = 1000;
const rounds = 5;
const memoryGoalMb = 100;
const speedGoal = 0.9;

/** Returns the speed of the run least disturbed by the rest of the machine. */
const best = (speeds: readonly number[]): number => Math.max(...speeds);

/** Uploads 1 GB from disk as a form. Measures memory above the idle program, and throughput compared with `curl -F` to the same server. */
export async function run(): Promise<readonly BenchLine[]> {
  const client = await bundleProgram('test/support/uploadClient.ts');
  const server = await startProgram(await bundleProgram('test/support/sinkServer.ts'));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inference-desk-upload-'));
  try {
    const file = path.join(folder, 'batch.jsonl');
    await fill(file);
    const curl = findProgram('curl');
    const speeds = { undici: [] as number[], editor: [] as number[], curl: [] as number[] };
    const memory = { undici: [] as number[], editor: [] as number[] };
    // They take turns, so that none of them has a quieter machine.
    for (let round = 0; round < rounds; round += 1) {
      for (const stack of ['undici', 'editor'] as const) {
        const upload: Upload = JSON.parse(await runProgram(process.execPath, [client, stack, server.firstLine, file]));
        speeds[stack].push(megabytes / upload.seconds);
        memory[stack].push(upload.overIdleMb);
      }
      if (curl) speeds.curl.push(megabytes / (await curlSeconds(curl, server.firstLine, file)));
    }
    return (['undici', 'editor'] as const).flatMap((stack) =>
      linesOf(stack, { speeds: speeds[stack], curl: speeds.curl, memory: memory[stack] }),
    );
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly speeds: readonly number[];
  /** Empty without curl. */
  readonly curl: readonly number[];
  readonly memory: readonly number[];
}

function linesOf(stack: string, { speeds, curl, memory }: Measured): readonly BenchLine[] {
  const worst = Math.max(...memory);
  const speed = best(speeds);
  const peer = {
    peer: best(curl),
    peerName: 'curl -F',
    ratioAtLeast: speedGoal,
    ...(stack === 'undici' && { title: 'Upload a 1 GB file' }),
  };
  return [
    {
      name: `1 GB upload, ${stack}: memory over idle (worst of ${rounds})`,
      ours: worst,
      unit: 'MB',
      atMost: memoryGoalMb,
    },
    {
      name: `1 GB upload, ${stack}: throughput (best of ${rounds})`,
      ours: speed,
      unit: 'MB/s',
      ...(curl.length > 0 ? peer : {}),
    },
  ];
}

async function curlSeconds(curl: string, address: string, file: string): Promise<number> {
  const args = [
    '-sS',
    '-o',
    os.devNull,
    '-w',
    '%{time_total}',
    '-F',
    'purpose=batch',
    '-F',
    `file=@${file}`,
    `${address}/upload`,
  ];
  return Number(await runProgram(curl, args));
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'wx');
  const piece = Buffer.alloc(
    1_000_000,
    '{"custom_id":"request-1","method":"POST","url":"/v1/chat/completions","body":{}}\n',
  );
  for (let written = 0; written < megabytes; written += 1) await handle.write(piece);
  await handle.close();
}
