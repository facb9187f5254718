import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SampleFacts, SampleFormat } from '../../core/audio/sampleFacts';
import { speakingSeconds } from '../../core/audio/speakingTime';
import { rulesOf } from '../../core/profiles/vendorRules';
import { chooseModel, knownJobs, modelsForJob } from '../../core/catalogue/jobs';
import { nameOf } from '../../core/catalogue/model';
import { bytesText, numberText } from '../../platform/displayText';
import { describe } from '../../platform/errors/reportError';
import { voiceBounds } from '../../protocol/mediaBounds';
import {
  mostDrawnBytes,
  type VoiceUploadFact,
  type VoiceUploadHearing,
  type VoiceUploadModel,
  type VoiceUploadSample,
  type VoiceUploadView,
} from '../../protocol/voiceUpload';
import type { Services } from '../../services/services';
import { findingView, kiloText, secondsText } from './findingWords';
import { outcomeOf, progressOf } from './outcomeWords';
import type { ShownSample } from './sampleController';
import type { UploadController } from './uploadController';

/** Returns what the page shows. `toUri`: the URI from which the page plays a file. */
export function viewUpload(session: UploadController, toUri: (file: string) => string): VoiceUploadView {
  const { sample, sending, noteTrouble, services } = session;
  const { state } = sample;
  const textSeconds = speakingSeconds(sample.text);
  const { profile: active } = services.account.current;
  const hearing = hearingOf(session);
  const progress = progressOf(sending.state);
  const outcome = outcomeOf(
    sending.state,
    noteTrouble === undefined ? undefined : l10n.t("Couldn't save your note: {0}", noteTrouble),
  );
  return {
    pageId: session.pageId,
    state: state.kind,
    fileName: sample.name,
    findings: sample.findings.map(findingView),
    textTime: textSeconds === 0 ? '' : l10n.t('about {0} to speak', secondsText(textSeconds, false)),
    hearingModels: hearingModels(services.models),
    suggested: { name: suggestedName(sample.name), model: suggestedModel(services) },
    ...(state.kind === 'failed' && { trouble: describe(state.error) }),
    ...(state.kind === 'ready' && { sample: sampleView(state.sample, sample.path, toUri) }),
    ...(active && {
      account: { profileId: active.id, text: l10n.t('{0} ({1})', active.name, new URL(active.origin).host) },
    }),
    ...(hearing && { hearing }),
    ...(progress && { progress }),
    ...(outcome && { outcome }),
  };
}

/** Returns the title of the tab. */
export function titleOf({ sample: { name } }: UploadController): string {
  return name === '' ? l10n.t('Upload Voice Sample') : l10n.t('Upload {0}', name);
}

/** Hides the transcription error of another recording. */
function hearingOf({ listening, heard, sample: { state } }: UploadController): VoiceUploadHearing | undefined {
  if (listening.running) return { kind: 'running' };
  if (heard) return { kind: 'heard', ...heard };
  const { kept } = state.kind === 'ready' ? state.sample : {};
  const isOfThis = [kept?.path, kept?.playPath].includes(listening.asked?.path);
  return listening.error === undefined || !isOfThis
    ? undefined
    : { kind: 'failed', trouble: describe(listening.error) };
}

export async function offeredModels(models: Services['models']): Promise<readonly VoiceUploadModel[]> {
  const { models: listed, pins } = await models.ensureFresh();
  return modelsForJob('voice', listed, pins).map((model) => {
    const { name, vendor } = nameOf(model);
    return { id: model.id, name, detail: '', group: vendor ?? '' };
  });
}

function suggestedModel({ account, models }: Services): string {
  return chooseModel('voice', models.state) ?? rulesOf(account.current.baseUrl).voiceModel ?? '';
}

/** Returns the models known to transcribe, because others would be a guess. The user's default comes first. */
function hearingModels({ state: { models, pins, defaults } }: Services['models']): readonly string[] {
  const named = modelsForJob('transcription', models, pins)
    .filter((model) => knownJobs(model)?.includes('transcription'))
    .map(({ id }) => id);
  const preferred = defaults.transcription;
  return preferred !== undefined && named.includes(preferred)
    ? [preferred, ...named.filter((id) => id !== preferred)]
    : named;
}

const language = () => vscode.env.language;

const formats: { readonly [Format in SampleFormat]: string } = {
  mp3: 'MP3',
  wav: 'WAV',
  opus: 'Ogg Opus',
  ogg: 'Ogg',
  pcm: 'PCM',
};

/** `toUri`: returns the URI from which the page plays a file. */
function sampleView(
  { name, kept, facts, soundId }: ShownSample,
  file: string | undefined,
  toUri: (file: string) => string,
): VoiceUploadSample {
  const isRaw = facts.format === 'pcm';
  const isHeard = !isRaw || facts.sampleRate !== undefined;
  return {
    name,
    place: file === undefined ? l10n.t('Dropped file') : vscode.workspace.asRelativePath(file),
    facts: factsOf(facts),
    soundId,
    isRaw,
    ...(isHeard && { playUri: toUri(isRaw ? kept.playPath : kept.path) }),
    ...(facts.bytes > mostDrawnBytes && {
      notDrawn: l10n.t("Waveforms aren't available for files larger than {0}.", bytesText(mostDrawnBytes, language())),
    }),
    ...(facts.sampleRate !== undefined && { sampleRate: facts.sampleRate }),
  };
}

function factsOf(facts: SampleFacts): readonly VoiceUploadFact[] {
  const { seconds, sampleRate, channels, bitsPerSecond, bytes } = facts;
  return [
    { label: l10n.t('Format'), value: formatText(facts) },
    ...(seconds === undefined ? [] : [{ label: l10n.t('Duration'), value: secondsText(seconds) }]),
    ...(sampleRate === undefined ? [] : [{ label: l10n.t('Sample rate'), value: kiloText(sampleRate, 'Hz') }]),
    ...(channels === undefined ? [] : [{ label: l10n.t('Channels'), value: channelText(channels) }]),
    ...(bitsPerSecond === undefined ? [] : [{ label: l10n.t('Bit rate'), value: kiloText(bitsPerSecond, 'bit/s') }]),
    {
      label: l10n.t('Size'),
      value: bytesText(bytes, language()),
      title: l10n.t('{0} bytes', numberText(bytes, language())),
    },
  ];
}

function formatText({ format, codec }: SampleFacts): string {
  if (format === 'ogg') return `${formats.ogg} (${codec})`;
  const bits = /^pcm-([suf])(\d+)/.exec(codec);
  if (bits === null) return format === 'wav' ? `${formats.wav} (${codec})` : formats[format];
  return bits[1] === 'f'
    ? l10n.t('{0}, {1}-bit float', formats[format], bits[2] ?? '')
    : l10n.t('{0}, {1}-bit', formats[format], bits[2] ?? '');
}

function channelText(channels: number): string {
  if (channels === 1) return l10n.t('mono');
  return channels === 2 ? l10n.t('stereo') : numberText(channels, language());
}

/** Returns the default name of a voice: the file name, limited to what a voice name may contain. */
function suggestedName(fileName: string): string {
  const plain = path
    .parse(fileName)
    .name.normalize('NFC')
    .replaceAll(/[\s:]+/g, '-');
  return Array.from(plain).slice(0, voiceBounds.name).join('');
}
