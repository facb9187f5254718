import { l10n } from 'vscode';
import type { RefusedSample } from '../../core/audio/sampleFacts';
import { UserError } from '../../platform/errors/userError';
import { foreign } from '../../core/text/foreignText';

export function fileAbsent(name: string): UserError {
  return new UserError(
    l10n.t('The file cannot be read'),
    l10n.t(
      '{0} was moved or deleted, or may not be read. Put it back and read it again, or choose another file.',
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
  tooLarge: () => l10n.t('It is larger than 50 MB, and a sample lasts less than 30 seconds. {0}', instead()),
  html: () =>
    l10n.t('It is a web page, not a recording: perhaps one that was saved in place of a download. {0}', instead()),
  text: () => l10n.t('It is a text, not a recording. {0}', instead()),
  image: (type) => l10n.t('It is a picture ({0}), not a recording. {1}', type, instead()),
  video: (type) => l10n.t('It is a video ({0}). Save its sound as MP3 or WAV, and choose that.', type),
  otherAudio: (type) =>
    l10n.t('It is a recording ({0}), but the service takes MP3, WAV, Opus and raw PCM. Convert it first.', type),
  noSound: () => l10n.t('There is no sound in it: the file may be cut off, or hold something else. {0}', instead()),
  damaged: () =>
    l10n.t(
      'It cannot be read to its end: it is damaged, or encoded in a way that is not known here. Save it anew as MP3 or 16-bit WAV.',
    ),
  notAudio: () => l10n.t('It is no recording, whatever its name says. {0}', instead()),
};

export function otherAccount(): UserError {
  return new UserError(
    l10n.t('Another account is active now'),
    l10n.t('Nothing was sent. Look at whom it is sent to, then upload it again.'),
  );
}

export function invalidRequest(): UserError {
  return new UserError(
    l10n.t('The sample cannot be uploaded as it is'),
    l10n.t('Nothing was sent. Mend what is marked, then upload it again.'),
  );
}

export function noConsent(): UserError {
  return new UserError(
    l10n.t("Couldn't upload the voice"),
    l10n.t('State whose voice it is and confirm that you have permission to use it. Then try again.'),
  );
}
