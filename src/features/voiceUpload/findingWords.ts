import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import { leastGoodRate } from '../../core/audio/sampleFindings';
import type { Finding, FindingCode } from '../../core/audio/sampleFindings';
import { durationText, numberFormat } from '../../protocol/formats';
import type { VoiceUploadFinding } from '../../protocol/voiceUpload';

export function findingView({ code, severity, values }: Finding): VoiceUploadFinding {
  return { severity, text: words[code](values) };
}

/** For example "8.2 sec"; whole seconds if the value is only approximate. */
export function secondsText(seconds: number, isExact = true): string {
  return durationText(seconds * 1000, env.language, isExact ? 'measured' : undefined);
}

export function kiloText(value: number, unit: 'Hz' | 'bit/s'): string {
  const thousands = numberFormat(env.language, { maximumFractionDigits: unit === 'Hz' ? 2 : 0 }).format(value / 1000);
  return unit === 'Hz' ? l10n.t('{0} kHz', thousands) : l10n.t('{0} kbit/s', thousands);
}

function percent(part: number): string {
  return numberFormat(env.language, { style: 'percent', maximumFractionDigits: part < 0.1 ? 1 : 0 }).format(part);
}

const words: { readonly [Code in FindingCode]: (values: readonly number[]) => string } = {
  'duration.tooLong': ([seconds = 0, most = 0]) =>
    l10n.t(
      'The recording lasts {0}, but samples must be shorter than {1}. Trim it to 8 to 10 seconds.',
      secondsText(seconds),
      secondsText(most),
    ),
  'duration.none': () => l10n.t("The recording doesn't contain audio."),
  'duration.advised': ([seconds = 0, from = 0, to = 0]) =>
    l10n.t(
      'The recording lasts {0}. The service recommends {1} to {2}.',
      secondsText(seconds),
      String(from),
      secondsText(to),
    ),
  'format.ogg': () =>
    l10n.t("Ogg files that aren't Opus might be rejected. The service supports MP3, WAV, PCM, and Opus."),
  'pcm.rateUnknown': () => l10n.t('Enter the sample rate to play and check this raw audio.'),
  'pcm.assumed': () => l10n.t('This raw audio is played as 16-bit mono.'),
  'channels.many': ([channels = 0]) =>
    channels === 2
      ? l10n.t('The recording is stereo. One channel with one speaker is enough.')
      : l10n.t('The recording has {0} channels. One channel with one speaker is enough.', channels),
  'rate.low': ([rate = 0]) =>
    l10n.t(
      'The sample rate is {0}. Below {1}, voice quality suffers.',
      kiloText(rate, 'Hz'),
      kiloText(leastGoodRate, 'Hz'),
    ),
  'bits.low': ([bits = 0, advised = 0]) =>
    l10n.t(
      'The bit rate is {0}. The service recommends at least {1} for MP3.',
      kiloText(bits, 'bit/s'),
      kiloText(advised, 'bit/s'),
    ),
  'text.tooMuch': ([text = 0, seconds = 0]) =>
    l10n.t(
      'The transcript takes about {0} to speak, but the recording lasts {1}. Enter only the words in the recording.',
      secondsText(text, false),
      secondsText(seconds),
    ),
  'text.tooLittle': ([text = 0, seconds = 0]) =>
    l10n.t(
      'The transcript takes only about {0} to speak, but the recording lasts {1}. Enter every word in the recording.',
      secondsText(text, false),
      secondsText(seconds),
    ),
  'level.silent': () => l10n.t('The recording is silent.'),
  'level.quiet': () => l10n.t('The recording is very quiet. Move closer to the microphone, or increase the volume.'),
  'level.clipped': ([part = 0]) => l10n.t('The recording is too loud. {0} of it is clipped.', percent(part)),
  'level.pauses': ([part = 0]) => l10n.t('{0} of the recording is silence. Remove the pauses.', percent(part)),
};
