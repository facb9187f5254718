import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { env } from 'vscode';
import type { SampleFacts, SampleFormat } from '../../core/audio/sampleFacts';
import { speakingSeconds } from '../../core/audio/speakingTime';
import { rulesOf } from '../../core/profiles/vendorRules';
import { chooseModel, knownJobs, modelsForJob } from '../../core/catalogue/jobs';
import { nameOf } from '../../core/catalogue/model';
import { bytesText, numberText } from '../../platform/displayText';
import { describe } from '../../platform/errors/reportError';
import { voiceBounds } from '../../protocol/mediaBounds';
import {
  type VoiceUploadFact,
  type VoiceUploadFinding,
  type VoiceUploadHearing,
  type VoiceUploadModel,
  type VoiceUploadOutcome,
  type VoiceUploadProgress,
  type VoiceUploadSample,
  type VoiceUploadView,
  mostDrawnBytes,
} from '../../protocol/voiceUpload';
import type { Services } from '../../services/services';
import { type Finding, type FindingCode, leastGoodRate } from '../../core/audio/sampleFindings';
import { durationText, listText, numberFormat } from '../../protocol/formats';
import { isApiError } from '../../core/api/errors';
import { retry } from '../../platform/errors/errorActions';
import { isCancellation } from '../../platform/errors/report';
import type { WireAction } from '../../protocol/wire';
import { sentence, sentences } from '../../protocol/sentences';
import type { ShownSample } from './logic/sampleController';
import type { UploadController } from './uploadController';
import type { SendState, SendStep } from './logic/sending';

/** Returns what the page shows. `toUri`: the URI from which the page plays a file. */
export function viewUpload(session: UploadController, toUri: (file: string) => string): VoiceUploadView {
  const { sample, sending, noteError, services } = session;
  const { state } = sample;
  const textSeconds = speakingSeconds(sample.text);
  const { profile: active } = services.account.current;
  const hearing = hearingOf(session);
  const progress = progressOf(sending.state);
  const outcome = outcomeOf(
    sending.state,
    noteError === undefined ? undefined : l10n.t("Couldn't save your note: {0}", noteError),
  );
  return {
    pageId: session.pageId,
    state: state.kind,
    fileName: sample.name,
    findings: sample.findings.map(findingView),
    textTime: textSeconds === 0 ? '' : l10n.t('about {0} of speech', secondsText(textSeconds, false)),
    hearingModels: hearingModels(services.models),
    suggested: { name: suggestedName(sample.name), model: suggestedModel(services) },
    ...(state.kind === 'failed' && { error: describe(state.error) }),
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
  const { saved } = state.kind === 'ready' ? state.sample : {};
  const isOfThis = [saved?.path, saved?.playPath].includes(listening.request?.path);
  return listening.error === undefined || !isOfThis ? undefined : { kind: 'failed', error: describe(listening.error) };
}

export async function offeredModels(models: Services['models']): Promise<readonly VoiceUploadModel[]> {
  const { models: listed, pins } = await models.ensureFresh();
  return modelsForJob('voice', listed, pins).map((model) => {
    const { name, vendor } = nameOf(model.id, model.ownedBy);
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
  { name, saved, facts, soundId }: ShownSample,
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
    ...(isHeard && { playUri: toUri(isRaw ? saved.playPath : saved.path) }),
    ...(facts.bytes > mostDrawnBytes && {
      notDrawn: l10n.t("The waveform isn't shown for files larger than {0}.", bytesText(mostDrawnBytes, language())),
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

/** Returns the default name of a voice: the file name, limited to the characters that a voice name can contain. */
function suggestedName(fileName: string): string {
  const plain = path
    .parse(fileName)
    .name.normalize('NFC')
    .replaceAll(/[\s:]+/g, '-');
  return Array.from(plain).slice(0, voiceBounds.name).join('');
}

function findingView({ code, severity, values }: Finding): VoiceUploadFinding {
  return { severity, text: words[code](values) };
}

/** For example "8.2 sec", or whole seconds if the value is only approximate. */
export function secondsText(seconds: number, isExact = true): string {
  return durationText(seconds * 1000, env.language, isExact ? 'measured' : undefined);
}

function kiloText(value: number, unit: 'Hz' | 'bit/s'): string {
  const thousands = numberFormat(env.language, { maximumFractionDigits: unit === 'Hz' ? 2 : 0 }).format(value / 1000);
  return unit === 'Hz' ? l10n.t('{0} kHz', thousands) : l10n.t('{0} kbit/s', thousands);
}

function percent(part: number): string {
  return numberFormat(env.language, { style: 'percent', maximumFractionDigits: part < 0.1 ? 1 : 0 }).format(part);
}

const words: { readonly [Code in FindingCode]: (values: readonly number[]) => string } = {
  'duration.tooLong': ([seconds = 0, most = 0]) =>
    l10n.t(
      'The recording lasts {0}, longer than {1}. Trim it to 8 to 10 seconds.',
      secondsText(seconds),
      secondsText(most),
    ),
  'duration.none': () => l10n.t("The recording doesn't contain audio."),
  'duration.advised': ([seconds = 0, from = 0, to = 0]) =>
    l10n.t('Recording: {0}. Recommended: {1} to {2}.', secondsText(seconds), String(from), secondsText(to)),
  'format.ogg': () => l10n.t('Ogg files other than Opus might be rejected. Use MP3, WAV, PCM, or Opus.'),
  'pcm.rateUnknown': () => l10n.t('Enter the sample rate of this raw audio.'),
  'pcm.assumed': () => l10n.t('The file is played as 16-bit mono.'),
  'channels.many': () => l10n.t('One channel is enough.'),
  'rate.low': ([rate = 0]) =>
    l10n.t('Low sample rate ({0}). Below {1}, quality suffers.', kiloText(rate, 'Hz'), kiloText(leastGoodRate, 'Hz')),
  'bits.low': ([bits = 0, advised = 0]) =>
    l10n.t(
      'Low bit rate ({0}). The service recommends {1} for MP3.',
      kiloText(bits, 'bit/s'),
      kiloText(advised, 'bit/s'),
    ),
  'text.tooMuch': ([text = 0, seconds = 0]) =>
    l10n.t(
      'Reading the transcript takes about {0}, but the recording lasts {1}. Enter only spoken words.',
      secondsText(text, false),
      secondsText(seconds),
    ),
  'text.tooLittle': ([text = 0, seconds = 0]) =>
    l10n.t(
      'Reading the transcript takes about {0}, but the recording lasts {1}. Enter every spoken word.',
      secondsText(text, false),
      secondsText(seconds),
    ),
  'level.silent': () => l10n.t('The recording is silent.'),
  'level.quiet': () => l10n.t('Very quiet. Move closer to the microphone.'),
  'level.clipped': ([part = 0]) => l10n.t('Too loud. {0} of the recording is clipped.', percent(part)),
  'level.pauses': ([part = 0]) => l10n.t('Remove the pauses. {0} of the recording is silent.', percent(part)),
};

/** Returns the progress of the upload; `undefined` if none is running. */
function progressOf(state: SendState): VoiceUploadProgress | undefined {
  return state.kind === 'sending' ? stepText(state.at) : undefined;
}

function stepText({ step, done, total }: SendStep): VoiceUploadProgress {
  if (step === 'looking') return { text: l10n.t('Checking existing voices…') };
  if (step === 'asking') return { text: l10n.t('Checking the upload…') };
  if (done === undefined || !total) return { text: l10n.t('Uploading…') };
  const part = Math.min(1, done / total);
  if (part === 1) return { text: l10n.t('Waiting for the service…'), part };
  return { text: l10n.t('Uploading: {0}% of {1}', Math.floor(part * 100), bytesText(total, env.language)), part };
}

/** Returns the outcome of the upload; `undefined` until there is one. */
export function outcomeOf(state: SendState, noteError: string | undefined): VoiceUploadOutcome | undefined {
  switch (state.kind) {
    case 'none':
    case 'sending':
      return undefined;
    case 'named':
      return namedOutcome(state.voices);
    case 'created':
      return {
        kind: 'created',
        uri: state.uri,
        title: l10n.t('Voice uploaded'),
        detail: sentences(
          state.isFound
            ? l10n.t('No response was received, but the voice is in your list.')
            : l10n.t('Use this URI to generate speech.'),
          noteError,
        ),
        actions: [
          action('tryVoice', l10n.t('Try Voice')),
          action('copyUri', l10n.t('Copy URI')),
          action('insertUri', l10n.t('Insert at Cursor')),
          action('another', l10n.t('Upload Another')),
        ],
      };
    case 'unknown':
      return unknownOutcome(state.error);
    case 'failed':
      return failedOutcome(state.error, state.isLost);
  }
}

function namedOutcome(voices: Extract<SendState, { kind: 'named' }>['voices']): VoiceUploadOutcome {
  const names = listText([...new Set(voices.map(({ customName }) => customName ?? ''))], env.language);
  return {
    kind: 'named',
    title:
      voices.length === 1
        ? l10n.t('A voice with this name already exists: {0}', names)
        : l10n.t('{0} voices with this name already exist: {1}', voices.length, names),
    detail: l10n.t('You can use the same name. Only the URIs differ.'),
    actions: [
      action('changeName', l10n.t('Change Name')),
      action('sendAnyway', l10n.t('Upload Anyway')),
      action('openNamed', l10n.t('Open Existing Voice')),
    ],
  };
}

function unknownOutcome(error: unknown): VoiceUploadOutcome {
  const { title } = describe(error);
  return {
    kind: 'unknown',
    title: l10n.t('Upload status unknown'),
    detail: l10n.t(
      "The service didn't respond, and your voices couldn't be loaded ({0}). Check again before another upload.",
      title,
    ),
    actions: [action('lookNow', l10n.t('Refresh Status'))],
  };
}

function failedOutcome(error: unknown, isLost: boolean): VoiceUploadOutcome {
  if (isLost) {
    const { title, actions } =
      error === undefined || isCancellation(error) ? { title: l10n.t('interrupted'), actions: [] } : describe(error);
    return {
      kind: 'failed',
      title: l10n.t("The voice wasn't uploaded"),
      detail: l10n.t("The upload didn't finish ({0}), and the voice isn't in your list. Try again.", title),
      actions: [retry(), ...actions],
    };
  }
  const { title, detail, actions } = describe(error);
  if (isApiError(error) && error.kind === 'permission') {
    return {
      kind: 'failed',
      title: l10n.t('The service requires identity verification'),
      detail: sentences(
        l10n.t("Verify your identity in the service's console."),
        error.details.fromService && error.message
          ? sentence(l10n.t('Message from the service: {0}', `"${error.message.slice(0, 300)}"`))
          : '',
      ),
      actions: [retry(), ...actions],
    };
  }
  const isOffered = !(isApiError(error) && error.kind === 'notOffered');
  const steps = actions.filter(({ id }) => id !== 'retry');
  return { kind: 'failed', title, detail, actions: isOffered ? [retry(), ...steps] : steps };
}

const action = (id: string, label: string): WireAction => ({ id, label });
