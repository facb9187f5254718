import { l10n } from 'vscode';
import type { RefusedSample } from '../../core/audio/sampleFacts';
import { UserError } from '../../platform/errors/userError';
import { foreign } from '../../core/text/foreignText';

export function fileAbsent(name: string): UserError {
  return new UserError(
    l10n.t('The file cannot be read'),
    l10n.t(
      "{0} has been moved or deleted, or you don't have permission to read it. Restore the file and reload it, or choose another one.",
      foreign(name),
    ),
  );
}

export function refusedSample(
  name: string,
  { why, type }: { readonly why: RefusedSample; readonly type?: string | undefined },
): UserError {
  return new UserError(l10n.t('{0} cannot be a voice sample', foreign(name)), words[why](type ?? ''));
}

const instead = () => l10n.t('Choose a recording of a voice: MP3, WAV, Opus or raw PCM.');

const words: { readonly [Why in RefusedSample]: (type: string) => string } = {
  empty: () => l10n.t('The file is empty. {0}', instead()),
  tooLarge: () => l10n.t('The file is larger than 50 MB. Samples must be shorter than 30 seconds. {0}', instead()),
  html: () => l10n.t('The file is a web page, possibly from a failed download. {0}', instead()),
  text: () => l10n.t('The file is a text file. {0}', instead()),
  image: (type) => l10n.t('The file is an image ({0}). {1}', type, instead()),
  video: (type) => l10n.t('The file is a video ({0}). Save its audio as MP3 or WAV, then choose that file.', type),
  otherAudio: (type) =>
    l10n.t('The recording is {0}, but the service only supports MP3, WAV, Opus, and raw PCM. Convert it first.', type),
  noSound: () =>
    l10n.t("The file doesn't contain any audio. It might be truncated or another type of file. {0}", instead()),
  damaged: () =>
    l10n.t(
      "Couldn't read the complete recording. It's damaged or uses an unsupported encoding. Save it as MP3 or 16-bit WAV.",
    ),
  notAudio: () => l10n.t("The file isn't a recording, despite its name. {0}", instead()),
};

export function otherAccount(): UserError {
  return new UserError(
    l10n.t('Another account is active now'),
    l10n.t("The voice wasn't uploaded. Check the account, then upload it again."),
  );
}

export function invalidRequest(): UserError {
  return new UserError(
    l10n.t('The sample needs changes'),
    l10n.t("The voice wasn't uploaded. Fix the marked values, then upload it again."),
  );
}

export function noConsent(): UserError {
  return new UserError(
    l10n.t("Couldn't upload the voice"),
    l10n.t('State whose voice it is and confirm that you have permission to use it. Then try again.'),
  );
}
