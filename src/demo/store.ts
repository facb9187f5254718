import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../core/storage/privateFiles';
import { createTextFile } from '../core/storage/storedFile';
import type { BatchRecord } from './batch/batchRecord';

export interface VoiceRecord {
  readonly model: string;
  readonly customName: string;
  readonly text: string;
  readonly uri: string;
}

export interface FileRecord {
  readonly id: string;
  readonly bytes: number;
  readonly createdAt: number;
  readonly filename: string;
  readonly lineCount: number;
  /** Files written by the service can be downloaded by id but are not listed. */
  readonly kind: 'input' | 'output';
}

export interface VideoRecord {
  readonly id: string;
  readonly model: string;
  readonly prompt: string;
  readonly size: string;
  readonly seed: number;
  /** Milliseconds since the epoch. */
  readonly submittedAt: number;
  readonly startsAt: number;
  readonly readyAt: number;
  readonly fate: 'succeeds' | 'fails' | 'unknownStatus' | 'endless' | 'noAddress' | 'expiredUrl';
}

export interface AssetRecord {
  readonly name: string;
  readonly contentType: string;
  readonly expiresAt: number;
}

/** Everything that must survive a restart. Money is in millionths of a unit, so that it stays exact. */
export interface DemoState {
  apiKey: string;
  readonly signingSecret: string;
  urlEpoch: number;
  giftBalance: number;
  chargeBalance: number;
  voices: VoiceRecord[];
  files: FileRecord[];
  batches: BatchRecord[];
  videos: VideoRecord[];
  assets: AssetRecord[];
}

export interface Store {
  readonly state: DemoState;
  /** Resolves once every change so far is on disk; concurrent calls share one write. */
  save(): Promise<void>;
  pathOf(folder: 'files' | 'assets' | 'incoming', name: string): string;
}

const freshState = (): DemoState => ({
  apiKey: `sk-demo-${randomBytes(24).toString('hex')}`,
  signingSecret: randomBytes(32).toString('hex'),
  urlEpoch: 0,
  giftBalance: 14_000_000,
  chargeBalance: 86_500_000,
  voices: [],
  files: [],
  batches: [],
  videos: [],
  assets: [],
});

async function readState(path: string): Promise<Partial<DemoState>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<DemoState>;
  } catch {
    // The file doesn't exist yet, because it is only ever replaced atomically.
    return {};
  }
}

/** Opens the folder (created if missing) and deletes partial uploads of an earlier run. */
export async function openStore(folder: string, apiKey: string | undefined): Promise<Store> {
  await rm(join(folder, 'incoming'), { recursive: true, force: true });
  for (const name of ['files', 'assets', 'incoming']) await makeFolder(join(folder, name));
  const path = join(folder, 'state.json');
  const state: DemoState = { ...freshState(), ...(await readState(path)), ...(apiKey === undefined ? {} : { apiKey }) };

  const file = createTextFile(path);
  return { state, save: () => file.write(JSON.stringify(state)), pathOf: (place, name) => join(folder, place, name) };
}
