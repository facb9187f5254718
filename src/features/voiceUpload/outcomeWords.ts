import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import { isApiError } from '../../core/api/errors';
import { bytesText } from '../../platform/displayText';
import { retry } from '../../platform/errors/errorActions';
import { isCancellation } from '../../platform/errors/report';
import { describe } from '../../platform/errors/reportError';
import type { VoiceUploadOutcome, VoiceUploadProgress } from '../../protocol/voiceUpload';
import type { WireAction } from '../../protocol/wire';
import type { SendState, SendStep } from './sending';
import { sentences } from '../../protocol/sentences';
import { listText } from '../../protocol/formats';

/** Returns the progress of the upload; `undefined` if none is running. */
export function progressOf(state: SendState): VoiceUploadProgress | undefined {
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
export function outcomeOf(state: SendState, noteTrouble: string | undefined): VoiceUploadOutcome | undefined {
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
            ? l10n.t('Your list of voices contains the voice, although no response was received.')
            : l10n.t('Use this URI as the voice to generate speech.'),
          noteTrouble,
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
    detail: l10n.t('You can upload another voice with the same name. Only the URIs will differ.'),
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
      "The service didn't respond, and the list of voices couldn't be loaded ({0}). Refresh the status before you upload again.",
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
      detail: l10n.t("The service didn't respond ({0}), and the voice isn't in your list. Try again.", title),
      actions: [retry(), ...actions],
    };
  }
  const { title, detail, actions } = describe(error);
  if (isApiError(error) && error.kind === 'permission') {
    return {
      kind: 'failed',
      title: l10n.t('The service requires identity verification'),
      detail: sentences(
        l10n.t("Verify your identity in the service's console, then try again."),
        error.details.fromService && error.message
          ? l10n.t('Message from the service: {0}', `"${error.message.slice(0, 300)}"`)
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
