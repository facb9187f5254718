import * as l10n from '@vscode/l10n';
import type { RefusedSample } from '../../../core/audio/sampleFacts';
import { UserError } from '../../../platform/errors/userError';
import { foreign } from '../../../core/text/foreignText';

export function fileAbsent(name: string): UserError {
  return new UserError(
    l10n.t("Couldn't read the file"),
    l10n.t('{0} is missing or unreadable. Restore it, or choose another file.', foreign(name)),
  );
}

export function refusedSample(
  name: string,
  { why, type }: { readonly why: RefusedSample; readonly type?: string | undefined },
): UserError {
  return new UserError(l10n.t("Can't use {0} as a voice sample", foreign(name)), words[why](type ?? ''));
}

const instead = () => l10n.t('Choose MP3, WAV, Opus, or raw PCM.');

const words: { readonly [Why in RefusedSample]: (type: string) => string } = {
  empty: () => l10n.t('The file is empty. {0}', instead()),
  tooLarge: () => l10n.t('The limits are 30 seconds and 50 MB. {0}', instead()),
  html: () => l10n.t('The file is a web page. {0}', instead()),
  text: () => l10n.t('The file contains text. {0}', instead()),
  image: (type) => l10n.t('The file is an image ({0}). {1}', type, instead()),
  video: (type) => l10n.t('This is a video ({0}). Save its audio as MP3 or WAV.', type),
  otherAudio: (type) => l10n.t('Convert {0} to MP3, WAV, Opus, or raw PCM.', type),
  noSound: () => l10n.t("The file doesn't contain any audio. {0}", instead()),
  damaged: () => l10n.t('The recording is damaged or has an unsupported encoding. Save it as MP3 or 16-bit WAV.'),
  notAudio: () => l10n.t("The file isn't a recording. {0}", instead()),
};

export function otherAccount(): UserError {
  return new UserError(l10n.t('The active account has changed'), l10n.t('Check the account before you upload.'));
}

export function invalidRequest(): UserError {
  return new UserError(l10n.t("Couldn't upload the voice"), l10n.t('Fix the highlighted fields and try again.'));
}

export function noConsent(): UserError {
  return new UserError(
    l10n.t("Couldn't upload the voice"),
    l10n.t('Enter whose voice it is, and confirm that you have permission to use it.'),
  );
}
