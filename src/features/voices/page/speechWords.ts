import { env, l10n } from 'vscode';
import type { SpeechFault } from '../../../core/voices/speechForm';
import { bytesText } from '../../../platform/displayText';
import { ownSteps, retry } from '../../../platform/errors/errorActions';
import { parameterWords } from '../../../platform/errors/parameterMessages';
import { describe } from '../../../platform/errors/reportError';
import type { VoiceNotice } from '../../../protocol/voice';
import type { NoSpeech, Speaking, SpeechEnding, SpeechOutcome } from './speaking';
import { sentences } from '../../../protocol/sentences';
import { durationText } from '../../../protocol/formats';

/** Id of the notice action that saves speech that could not be saved before. */
export const keepAgain = 'keepAgain';

/** Id of the notice action that speaks the same text again. */
export const speakAgain = 'speakAgain';

/** `age`: of the existing take. */
export function repeatedNotice(age: string): VoiceNotice {
  return {
    tone: 'info',
    title: l10n.t('Already spoken'),
    detail: l10n.t('The take with this text and these settings is below, made {0}. Speaking again costs again.', age),
    actions: [{ id: speakAgain, label: l10n.t('Speak again') }],
  };
}

/** Returns the notice for an outcome; `undefined` if the new take says it all. */
export function outcomeNotice(outcome: SpeechOutcome): VoiceNotice | undefined {
  switch (outcome.kind) {
    case 'kept':
      return keptNotice(outcome.ending);
    case 'nothing':
      return nothingNotice(outcome);
    case 'notKept':
      return {
        tone: 'error',
        title: l10n.t('The speech could not be saved'),
        detail: l10n.t(
          'The clip is available until you close this window. Save it before you generate more speech. {0}',
          describe(outcome.error).detail,
        ),
        actions: [{ id: keepAgain, label: l10n.t('Save it now') }],
      };
    case 'failed':
      return failureNotice(outcome.error);
  }
}

function keptNotice(ending: SpeechEnding): VoiceNotice | undefined {
  switch (ending.by) {
    case 'itself':
      return undefined;
    case 'stop':
      return {
        tone: 'info',
        title: l10n.t('Stopped'),
        detail: l10n.t('The part received so far is saved below and can be played.'),
        actions: [],
      };
    case 'bound':
      return {
        tone: 'warning',
        title: l10n.t('The answer did not end'),
        detail: l10n.t('The size limit was exceeded. The part received so far is saved below.'),
        actions: [retry()],
      };
    case 'fault':
      return {
        tone: 'warning',
        title: l10n.t('The response is incomplete'),
        detail: sentences(
          l10n.t('The part received so far is saved below and can be played.'),
          describe(ending.error).detail,
        ),
        actions: [retry()],
      };
  }
}

function nothingNotice({ ending, why, bytes }: Extract<SpeechOutcome, { kind: 'nothing' }>): VoiceNotice {
  const tooLittle = l10n.t("The received part is too short to play and wasn't saved.");
  if (ending.by === 'stop') return { tone: 'info', title: l10n.t('Stopped'), detail: tooLittle, actions: [] };
  if (ending.by === 'fault') {
    return {
      tone: 'error',
      title: l10n.t('The response is incomplete'),
      detail: `${tooLittle} ${describe(ending.error).detail}`,
      actions: [retry()],
    };
  }
  return {
    tone: 'error',
    title: l10n.t("The response isn't speech"),
    detail: sentences(
      whatCame(why, bytesText(bytes, env.language)),
      l10n.t("The response wasn't saved. Try again, or choose another format."),
    ),
    actions: [retry()],
  };
}

function whatCame(why: NoSpeech, size: string): string {
  switch (why) {
    case 'empty':
      return l10n.t('The response is empty.');
    case 'html':
      return l10n.t('The service sent a web page, {0}.', size);
    case 'text':
      return l10n.t('The service sent a text, {0}.', size);
    case 'image':
      return l10n.t('The service returned an image, {0}.', size);
    case 'video':
      return l10n.t('The service sent a video, {0}.', size);
    case 'noSound':
      return l10n.t('The service sent a file without sound, {0}.', size);
    case 'damaged':
    case 'notAudio':
      return l10n.t('The service sent {0} that cannot be played.', size);
  }
}

function failureNotice(error: unknown): VoiceNotice {
  const { kind, title, detail, actions } = describe(error);
  const isOfRequest = ['badRequest', 'invalidParameter', 'auth', 'notOffered'].includes(kind);
  return {
    tone: 'error',
    title,
    detail,
    actions: [...(isOfRequest ? [] : [retry()]), ...ownSteps(actions)],
  };
}

/** Describes the progress of a request. */
export function progressText({ startedAt, bytes }: NonNullable<Speaking['running']>, now: number): string {
  const time = durationText(now - startedAt, env.language);
  return bytes === 0
    ? l10n.t('Waiting for the service: {0}', time)
    : l10n.t('Receiving: {0}, {1}', bytesText(bytes, env.language), time);
}

export function faultText(fault: SpeechFault): string | undefined {
  switch (fault.kind) {
    case 'missing':
      return undefined;
    case 'notNumber':
      return l10n.t('Enter a number, such as 0.7.');
    case 'parameter':
      return parameterWords(fault.issue);
  }
}

/** Text at the field that was refused; the service's own message is in the notice. */
export function refusalText(): string {
  return l10n.t('The service rejected this value.');
}
