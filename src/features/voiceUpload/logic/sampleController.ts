import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { findingsOf } from '../../../core/audio/sampleFindings';
import type { Finding } from '../../../core/audio/sampleFindings';
import type { SampleFacts, SampleReading, SoundLevels } from '../../../core/audio/sampleFacts';
import { wavOfPcm } from '../../../core/audio/wavOfPcm';
import { writeAtomic } from '../../../core/storage/atomicFile';
import { fileAbsent, refusedSample } from './refusals';
import type { SavedSample, SampleStore } from './sampleStore';

/** Source of the sample's bytes. */
export type SampleSource =
  | { readonly path: string }
  | { readonly name: string; readonly bytes: Uint8Array }
  /** Stored before a reload. */
  | { readonly name: string; readonly sampleId: string; readonly path?: string | undefined };

/** The sample that the page shows: its stored copy and its properties. */
export interface ShownSample {
  readonly name: string;
  readonly saved: SavedSample;
  readonly facts: SampleFacts;
  /** Changes when the sound does. */
  readonly soundId: string;
  readonly bytes: Uint8Array;
}

export type SampleState =
  | { readonly kind: 'reading' }
  /** `error` is shown to the user. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'ready'; readonly sample: ShownSample };

/** The sample of a page: read, checked, and stored unchanged. */
export class SampleController {
  /** Name of the last file, even if it was refused. */
  name = '';
  path: string | undefined;
  private current: SampleState = { kind: 'reading' };
  private form = { text: '', pcmRate: 0 };
  private levels: { readonly soundId: string; readonly levels: SoundLevels } | undefined;
  private saved: string | undefined;
  private sounds = 0;
  private reads = 0;

  constructor(
    private readonly store: SampleStore,
    private readonly onChange: () => void,
  ) {}

  get state(): SampleState {
    return this.current;
  }

  get findings(): readonly Finding[] {
    if (this.current.kind !== 'ready') return [];
    const { facts, soundId } = this.current.sample;
    const levels = this.levels?.soundId === soundId ? this.levels.levels : undefined;
    return findingsOf({ facts, text: this.form.text, levels });
  }

  get text(): string {
    return this.form.text;
  }

  /** Reads a sample. Never rejects: errors are in `state`. If several reads overlap, only the last counts. */
  async read(source: SampleSource): Promise<void> {
    const mine = ++this.reads;
    this.path = 'path' in source ? source.path : undefined;
    this.name = 'name' in source ? source.name : path.basename(source.path);
    this.set({ kind: 'reading' });
    const before = this.saved;
    const state = await this.load(source).catch((error: unknown): SampleState => ({ kind: 'failed', error }));
    if (mine !== this.reads) {
      if (state.kind === 'ready') await this.store.remove(state.sample.saved.id);
      return;
    }
    this.saved = state.kind === 'ready' ? state.sample.saved.id : undefined;
    this.set(state);
    if (before !== undefined && before !== this.saved) await this.store.remove(before);
  }

  /** Checks the form; raw samples are read again if their sample rate changed. */
  async write({ text, pcmRate }: { readonly text: string; readonly pcmRate: number }): Promise<void> {
    const isOther = pcmRate !== this.form.pcmRate;
    this.form = { text, pcmRate };
    if (isOther && this.current.kind === 'ready' && this.current.sample.facts.format === 'pcm') {
      const { name, saved, bytes } = this.current.sample;
      this.current = await this.show(name, saved, bytes);
    }
    this.onChange();
  }

  measure(soundId: string, levels: SoundLevels): void {
    this.levels = { soundId, levels };
    this.onChange();
  }

  /** Bytes that an audio decoder can read; `undefined` if there are none. */
  async sound(): Promise<Uint8Array | undefined> {
    if (this.current.kind !== 'ready') return undefined;
    const { facts, saved, bytes } = this.current.sample;
    if (facts.format !== 'pcm') return bytes;
    return facts.sampleRate === undefined ? undefined : readFile(saved.playPath);
  }

  /** Id of the stored copy, which finds it again after a reload. */
  get savedId(): string | undefined {
    return this.saved;
  }

  private async load(source: SampleSource): Promise<SampleState> {
    if ('sampleId' in source) {
      const found = await this.store.find(source.sampleId);
      if (found) return this.show(source.name, found.saved, found.bytes);
      if (source.path === undefined) throw fileAbsent(source.name);
      return this.load({ path: source.path });
    }
    const name = this.name;
    const bytes = 'bytes' in source ? source.bytes : await readSmall(source.path);
    const reading = await this.check(name, bytes);
    if (reading.kind === 'refused') throw refusedSample(name, reading);
    const stem = path.parse(name).name;
    const saved = await this.store.keep(bytes, `${stem}.${reading.facts.format}`);
    return this.show(name, saved, bytes);
  }

  private async check(name: string, bytes: Uint8Array): Promise<SampleReading> {
    const { readSample } = await import('../../../core/audio/readSample');
    const { pcmRate } = this.form;
    return readSample({ bytes, name, ...(pcmRate > 0 && { pcmRate }) });
  }

  private async show(name: string, saved: SavedSample, bytes: Uint8Array): Promise<SampleState> {
    const reading = await this.check(saved.path, bytes);
    if (reading.kind === 'refused') throw refusedSample(name, reading);
    const { facts } = reading;
    if (facts.format === 'pcm' && facts.sampleRate !== undefined) {
      await writeAtomic(saved.playPath, wavOfPcm(bytes, facts.sampleRate));
    }
    return { kind: 'ready', sample: { name, saved, facts, bytes, soundId: `${saved.id} ${++this.sounds}` } };
  }

  private set(state: SampleState): void {
    this.current = state;
    this.onChange();
  }
}

/** Throws `UserError` if it is not a file, or far too large for a sample. */
async function readSmall(file: string): Promise<Uint8Array> {
  const name = path.basename(file);
  const found = await stat(file).catch(() => {
    throw fileAbsent(name);
  });
  if (!found.isFile()) throw refusedSample(name, { why: 'notAudio' });
  const { mostSampleBytes } = await import('../../../core/audio/readSample');
  if (found.size > mostSampleBytes) throw refusedSample(name, { why: 'tooLarge' });
  return readFile(file).catch(() => {
    throw fileAbsent(name);
  });
}
