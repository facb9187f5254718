import * as l10n from '@vscode/l10n';
import type { RefusedSample } from '../../core/audio/sampleFacts';
import { UserError } from '../../platform/errors/userError';
import { foreign } from '../../core/text/foreignText';

export function fileAbsent(name: string): UserError {
  return new UserError(
    l10n.t("Couldn't read the file"),
    l10n.t(
      "{0} has been moved or deleted, or you don't have permission to read it. Restore and reload the file, or choose another one.",
      foreign(name),
    ),
  );
}

export function refusedSample(
  name: string,
  { why, type }: { readonly why: RefusedSample; readonly type?: string | undefined },
): UserError {
  return new UserError(l10n.t("Can't use {0} as a voice sample", foreign(name)), words[why](type ?? ''));
}

const instead = () => l10n.t('Choose an MP3, WAV, Opus, or raw PCM recording.');

const words: { readonly [Why in RefusedSample]: (type: string) => string } = {
  empty: () => l10n.t('The file is empty. {0}', instead()),
  tooLarge: () => l10n.t('Samples must be shorter than 30 seconds and smaller than 50 MB. {0}', instead()),
  html: () => l10n.t('The file is a web page. {0}', instead()),
  text: () => l10n.t('The file contains text. {0}', instead()),
  image: (type) => l10n.t('The file is an image ({0}). {1}', type, instead()),
  video: (type) => l10n.t('The file is a video ({0}). Save its audio as MP3 or WAV.', type),
  otherAudio: (type) =>
    l10n.t("The service doesn't support {0}. Convert the recording to MP3, WAV, Opus, or raw PCM.", type),
  noSound: () => l10n.t("The file doesn't contain any audio. {0}", instead()),
  damaged: () => l10n.t('The recording is damaged or uses an unsupported encoding. Save it as MP3 or 16-bit WAV.'),
  notAudio: () => l10n.t("The file isn't a recording. {0}", instead()),
};

export function otherAccount(): UserError {
  return new UserError(
    l10n.t('The active account has changed'),
    l10n.t('Check which account is used, then upload the voice.'),
  );
}

export function invalidRequest(): UserError {
  return new UserError(l10n.t("Couldn't upload the voice"), l10n.t('Fix the marked fields and try again.'));
}

export function noConsent(): UserError {
  return new UserError(
    l10n.t("Couldn't upload the voice"),
    l10n.t('Enter the owner of the voice and confirm that you have permission to use it.'),
  );
}
