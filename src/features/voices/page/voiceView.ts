import * as l10n from '@vscode/l10n';
import { basename, dirname } from 'node:path';
import { env } from 'vscode';
import { ratesOf } from '../../../core/api/speech/speech.bounds';
import { chooseModel, modelsForJob } from '../../../core/catalogue/jobs';
import { nameOf } from '../../../core/catalogue/model';
import type { ModelJob } from '../../../core/catalogue/model';
import { modelsOfVoice, modelsWith } from '../../../core/voices/builtInVoices';
import type { SpeechField } from '../../../core/voices/speechForm';
import { absoluteTimeText, bytesText, numberText, shortened } from '../../../platform/displayText';
import { ageWords } from '../../../platform/age';
import { hasPrices } from '../../../core/profiles/knownServices';
import type { CostText, ModelCost } from '../../../protocol/wire';
import { costText, lastCosts, priceLine } from '../../../services/usage/costMessages';
import { missingNotice } from '../../../services/account/notOffered';
import type { Costs } from '../../../services/usage/costs';
import { ownSteps, retry, step } from '../../../platform/errors/errorActions';
import type { AnswerIds } from '../../../core/api/transport/transport';
import type { Transcript } from '../../../services/voices/transcribing';
import type { CatalogueState } from '../../../services/models/modelCatalogue';
import { parameterWords } from '../../../platform/errors/parameterMessages';
import { describe } from '../../../platform/errors/reportError';
import type { VoiceModel, VoiceNotice, VoiceTake, VoiceView, VoiceWords } from '../../../protocol/voice';
import { faultText, outcomeNotice, repeatedNotice, progressText } from './speechWords';
import type { ShownTake, VoiceController } from './voiceController';
import { durationText } from '../../../protocol/formats';
import { foreign } from '../../../core/text/foreignText';

/** Id of the notice action that reloads the list of voices. */
export const lookAgain = 'lookAgain';

/** Returns the URI from which the page can load a file. */
type SrcOf = (path: string) => string;

/** Returns the price of a clip. One that was learned is that of the last clip, which may have been shorter or longer. */
function priceOf({ prices, services }: VoiceController, model: string): CostText | undefined {
  const { account, costs } = services;
  if (!prices || model === '' || !hasPrices(account.current.baseUrl ?? '')) return undefined;
  const isLearned = prices.ofPiece(model, 'clip')?.source === 'learned';
  const last = isLearned && lastCosts(costs, 'speech').find((cost) => cost.model === model);
  return last || priceLine(prices.quote([{ model, piece: 'clip', count: 1 }]));
}

/** Returns the current state of the whole page. */
export function viewVoice(session: VoiceController, srcOf: SrcOf): VoiceView {
  const { account, costs, models: catalogue } = session.services;
  const models = catalogue.state;
  const now = Date.now();
  const { uri, builtIn, voice, form, speaking, transcribing, list } = session;
  const missing = missingOf(session);
  const error = voiceError(session) ?? missing;
  const transcript = session.memory.transcript;
  const { repeated } = session;
  const spoken = form.model.trim() || session.defaultModel;
  const price = priceOf(session, spoken);
  const outcome = repeated
    ? repeatedNotice(ageWords(Date.parse(repeated.asset.recipe.createdAt), now, env.language))
    : speaking.outcome && outcomeNotice(speaking.outcome);
  const isShownAbove = missing !== undefined && outcome?.title === missing.title;
  return {
    uri,
    name: nameOfVoice(session),
    isBuiltIn: builtIn !== undefined,
    model: builtIn?.model ?? voice?.model ?? '',
    text: voice?.text ?? '',
    ...(error && { error }),
    canSpeak: missing === undefined,
    canTranscribe: !account.current.lacks('POST /audio/transcriptions'),
    isLoading: !builtIn && voice === undefined && error === undefined && (list.loading || list.readAt === undefined),
    canDelete: voice !== undefined,
    ...aboutRecording(session, srcOf, now),
    form,
    formRevision: session.formRevision,
    ...fieldsOf(session, models),
    ...(price && { price }),
    ...(speaking.running && { speaking: progressText(speaking.running, now) }),
    ...(outcome && !isShownAbove && { outcome: outcome }),
    ...(session.newTake !== undefined && { newTake: session.newTake }),
    takes: session.takes.map((take) => ({
      ...takeView(take, srcOf, now),
      ...costOf(take.asset.path, costs),
      ...(session.prices && { regenerate: session.prices.regenerateLabel(take.asset.recipe) }),
    })),
    ...(session.takesError !== undefined && { takesError: errorNotice(session.takesError, []) }),
    transcriptionModels: offered('transcription', models),
    transcriptionModel: chooseModel('transcription', models) ?? '',
    transcriptionPrices: transcriptionPrices(session, models),
    ...(transcribing.running && { transcribing: transcribingText(transcribing.running) }),
    ...(transcript && {
      transcript: {
        name: transcript.name,
        text: transcript.text,
        facts: transcriptFacts(transcript, now),
        ids: idsText(transcript),
        ...costOf(transcript.costId ?? '', costs),
      },
    }),
    ...(transcribing.error !== undefined && { transcriptError: transcriptNotice(transcribing.error) }),
  };
}

export function nameOfVoice({ uri, builtIn, voice }: VoiceController): string {
  return builtIn?.name ?? voice?.customName ?? uri.split(':')[1] ?? shortened(uri);
}

/** Returns a notice if the service does not speak, or stores no voice styles and this is to be one. */
function missingOf({ builtIn, voice, services }: VoiceController): VoiceNotice | undefined {
  const stored = builtIn || voice ? [] : ['GET /audio/voice/list'];
  const missing = missingNotice(services.account.current, ...stored, 'POST /audio/speech');
  return missing && { ...missing, actions: ownSteps(missing.actions) };
}

/** Returns a notice about what prevents any use of the voice. */
function voiceError(session: VoiceController): VoiceNotice | undefined {
  const { builtIn, voice, list } = session;
  if (list.session === 'signedOut') {
    return {
      tone: 'info',
      title: l10n.t('Sign in to use this voice'),
      detail: l10n.t('Or try the demo service without a key.'),
      actions: [step('signIn'), step('tryDemo')],
    };
  }
  if (builtIn || voice || missingOf(session)) return undefined;
  if (list.error !== undefined && !list.loading)
    return errorNotice(list.error, [{ id: lookAgain, label: retry().label }]);
  if (list.readAt === undefined || list.loading) return undefined;
  return {
    tone: 'warning',
    title: l10n.t('This voice no longer exists'),
    detail: l10n.t('The voice has been deleted or belongs to another account.'),
    actions: [{ id: lookAgain, label: l10n.t('Reload') }],
  };
}

function errorNotice(error: unknown, more: VoiceNotice['actions']): VoiceNotice {
  const { kind, title, detail, actions } = describe(error);
  const again = kind === 'notOffered' ? [] : more;
  return { tone: 'error', title, detail, actions: [...again, ...ownSteps(actions)] };
}

function transcriptNotice(error: unknown): VoiceNotice {
  const { kind, title, detail, actions } = describe(error);
  const isLasting = ['user', 'auth', 'notOffered'].includes(kind);
  const again = isLasting ? [] : [{ id: 'transcribeAgain', label: retry().label }];
  return { tone: 'error', title, detail, actions: [...again, ...ownSteps(actions)] };
}

function aboutRecording({ note, samplePath }: VoiceController, srcOf: SrcOf, now: number) {
  return {
    note: {
      text: note?.text ?? '',
      isAllowed: note?.isAllowed ?? false,
      writtenAt: note && (note.text || note.isAllowed) ? ageWords(note.writtenAt, now, env.language) : '',
    },
    ...(note?.sample !== undefined && {
      sample: {
        name: basename(note.sample),
        place: dirname(note.sample),
        src: samplePath === undefined ? '' : srcOf(samplePath),
      },
    }),
  };
}

function fieldsOf(session: VoiceController, models: CatalogueState) {
  const { form, refusal, builtIn, voice } = session;
  const { request, faults, warnings } = session.read();
  const speech = offered('voice', models);
  const own = modelsOfVoice(
    voice?.model,
    speech.map(({ id }) => id),
  );
  const unheard = form.response_format === 'pcm' && form.sample_rate.trim() === '';
  const issues = wordsOf(faults, (fault) => fault && faultText(fault));
  return {
    models: builtIn
      ? speech.filter(({ id }) => modelsWith(builtIn, [id]).length > 0)
      : own.map((id) => modelOf(id, speech)),
    defaultModel: session.defaultModel,
    rates: ratesOf(form.response_format || undefined),
    issues,
    warnings: {
      ...(unheard && {
        sample_rate: l10n.t('Set the sample rate to play raw audio at the right speed.'),
      }),
      ...wordsOf(warnings, (warning) => warning && parameterWords(warning, env.language)),
      ...(refusal && { [refusal.field]: refusal.text }),
    },
    hints: {
      input: form.input === '' ? '' : l10n.t('{0} characters', numberText(form.input.length, env.language)),
      response_format: l10n.t('Usually mp3.'),
      speed: l10n.t('0.25 to 4. 1 is normal speed.'),
      gain: l10n.t('−10 to 10 dB. 0 has no effect.'),
      stream: l10n.t('Recommended for long text.'),
    },
    obstacle: obstacleOf(session, request !== undefined, Object.keys(issues).length > 0),
  };
}

function wordsOf<Value>(
  values: { readonly [Field in SpeechField]?: Value },
  words: (value: Value | undefined) => string | undefined,
): VoiceWords {
  const worded = (Object.keys(values) as SpeechField[]).flatMap((name) => {
    const text = words(values[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(worded);
}

function obstacleOf(session: VoiceController, canSend: boolean, isMarked: boolean): string {
  const { list, builtIn, voice, form } = session;
  if (list.session === 'signedOut') return l10n.t('Sign in first.');
  if (!builtIn && !voice && list.readAt !== undefined && list.error === undefined && !list.loading)
    return l10n.t('This voice no longer exists.');
  if (isMarked) return l10n.t('Fix the highlighted fields.');
  if (form.input.trim() === '') return l10n.t('Enter text to speak.');
  return canSend ? '' : l10n.t('Select a model.');
}

function offered(job: ModelJob, { models, pins }: CatalogueState): readonly VoiceModel[] {
  return modelsForJob(job, models, pins).map((model) => {
    const { name, vendor } = nameOf(model.id, model.ownedBy);
    return { id: model.id, name, detail: '', group: vendor ?? '' };
  });
}

function transcriptionPrices({ prices, services }: VoiceController, models: CatalogueState): readonly ModelCost[] {
  const { current } = services.account;
  if (!prices || !hasPrices(current.baseUrl ?? '')) return [];
  return offered('transcription', models).map(({ id }) => ({
    model: id,
    ...priceLine(prices.quote([{ model: id, piece: 'transcription', count: 1 }])),
  }));
}

const modelOf = (id: string, known: readonly VoiceModel[]): VoiceModel =>
  known.find((model) => model.id === id) ?? { id, name: nameOf(id).name, detail: '', group: '' };

/** The cost of a clip or transcript. */
function costOf(thing: string, costs: Costs) {
  const cost = costText(costs.of(thing));
  return cost ? { cost } : {};
}

function takeView({ asset, path, seconds, id }: ShownTake, srcOf: SrcOf, now: number): VoiceTake {
  const { createdAt, file, request } = asset.recipe;
  const at = Date.parse(createdAt);
  const set = ([name, value]: readonly [string, string | number | boolean | null | undefined]) =>
    value === undefined || value === null ? [] : [{ name, value: String(value) }];
  const { response_format, sample_rate, speed, gain, stream } = request;
  return {
    id,
    text: request.input,
    name: file.name,
    age: ageWords(at, now, env.language),
    at: absoluteTimeText(at, env.language),
    src: path === '' ? '' : srcOf(path),
    facts: [
      ...(seconds === undefined ? [] : [durationText(seconds * 1000, env.language, 'measured')]),
      bytesText(file.bytes, env.language),
      response_format === 'pcm' ? 'pcm' : file.contentType.replace(/^audio\/(x-|vnd\.)?/, ''),
    ],
    ids: idsText(asset.recipe),
    settings: [
      { name: l10n.t('model'), value: nameOf(request.model).name },
      ...Object.entries({ response_format, sample_rate, speed, gain, stream }).flatMap(set),
    ],
  };
}

function transcriptFacts({ model, answeredBy, at }: Transcript, now: number): string {
  const other = answeredBy === undefined ? [] : [l10n.t('response from {0}', foreign(answeredBy, 200))];
  return [model, ...other, ageWords(at, now, env.language)].join(' · ');
}

/** The service's text can contain anything. */
function idsText({ requestId, traceId }: AnswerIds): readonly string[] {
  return [
    ...(requestId === undefined ? [] : [l10n.t('Request ID: {0}', foreign(requestId, 200))]),
    ...(traceId === undefined ? [] : [l10n.t('Trace ID: {0}', foreign(traceId, 200))]),
  ];
}

function transcribingText({ name, part }: NonNullable<VoiceController['transcribing']['running']>): string {
  return part < 1
    ? l10n.t('Sending {0}: {1}%', foreign(name), String(Math.floor(part * 100)))
    : l10n.t('Transcribing {0}', foreign(name));
}
