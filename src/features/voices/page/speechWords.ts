import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import type { SpeechFault } from '../../../core/voices/speechForm';
import { bytesText } from '../../../platform/displayText';
import { ownSteps, retry } from '../../../platform/errors/errorActions';
import { parameterWords } from '../../../platform/errors/parameterMessages';
import { describe } from '../../../platform/errors/reportError';
import type { VoiceNotice } from '../../../protocol/voice';
import type { NoSpeech, Speaking, SpeechEnding, SpeechOutcome } from '../logic/speaking';
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
    title: l10n.t('Clip already exists'),
    detail: l10n.t("You generated this clip {0}. You'll be charged for another one.", age),
    actions: [{ id: speakAgain, label: l10n.t('Generate Another') }],
  };
}

/** Returns the notice for an outcome, or `undefined` if the new clip is sufficient. */
export function outcomeNotice(outcome: SpeechOutcome): VoiceNotice | undefined {
  switch (outcome.kind) {
    case 'kept':
      return savedNotice(outcome.ending);
    case 'nothing':
      return nothingNotice(outcome);
    case 'notKept':
      return {
        tone: 'error',
        title: l10n.t("Couldn't save the clip"),
        detail: l10n.t(
          'Save the clip before you generate another one or close this window. {0}',
          describe(outcome.error).detail,
        ),
        actions: [{ id: keepAgain, label: l10n.t('Save Now') }],
      };
    case 'failed':
      return failureNotice(outcome.error);
  }
}

function savedNotice(ending: SpeechEnding): VoiceNotice | undefined {
  switch (ending.by) {
    case 'itself':
      return undefined;
    case 'stop':
      return {
        tone: 'info',
        title: l10n.t('Stopped'),
        detail: l10n.t('The audio received so far is saved below.'),
        actions: [],
      };
    case 'bound':
      return {
        tone: 'warning',
        title: l10n.t('The response is too long'),
        detail: l10n.t('Stopped at the size limit. The audio so far is saved below.'),
        actions: [retry()],
      };
    case 'fault':
      return {
        tone: 'warning',
        title: l10n.t('The clip is incomplete'),
        detail: sentences(l10n.t('The audio received so far is saved below.'), describe(ending.error).detail),
        actions: [retry()],
      };
  }
}

function nothingNotice({ ending, why, bytes }: Extract<SpeechOutcome, { kind: 'nothing' }>): VoiceNotice {
  const tooLittle = l10n.t('The audio was too short to save.');
  if (ending.by === 'stop') return { tone: 'info', title: l10n.t('Stopped'), detail: tooLittle, actions: [] };
  if (ending.by === 'fault') {
    return {
      tone: 'error',
      title: l10n.t('The clip is incomplete'),
      detail: `${tooLittle} ${describe(ending.error).detail}`,
      actions: [retry()],
    };
  }
  return {
    tone: 'error',
    title: l10n.t("The response isn't audio"),
    detail: sentences(whatCame(why, bytesText(bytes, env.language)), l10n.t('Try again, or select another format.')),
    actions: [retry()],
  };
}

function whatCame(why: NoSpeech, size: string): string {
  switch (why) {
    case 'empty':
      return l10n.t('The service returned an empty response.');
    case 'html':
      return l10n.t('The service returned a web page ({0}).', size);
    case 'text':
      return l10n.t('The service returned text ({0}).', size);
    case 'image':
      return l10n.t('The service returned an image ({0}).', size);
    case 'video':
      return l10n.t('The service returned a video ({0}).', size);
    case 'noSound':
      return l10n.t('The service returned a file without audio ({0}).', size);
    case 'damaged':
    case 'notAudio':
      return l10n.t("The service's file can't be played ({0}).", size);
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
      return parameterWords(fault.issue, env.language);
  }
}

/** Text at the field that was refused; the service's own message is in the notice. */
export function refusalText(): string {
  return l10n.t('The service rejected this value.');
}
