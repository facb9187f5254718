import { env, l10n } from 'vscode';
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
      'The sample is {0} long. The limit is {1}. Shorten it to 8 to 10 seconds.',
      secondsText(seconds),
      secondsText(most),
    ),
  'duration.none': () => l10n.t("The file doesn't contain any audio."),
  'duration.advised': ([seconds = 0, from = 0, to = 0]) =>
    l10n.t(
      'The sample is {0} long. The service recommends {1} to {2}.',
      secondsText(seconds),
      String(from),
      secondsText(to),
    ),
  'format.ogg': () =>
    l10n.t('The sample is Ogg, but not Opus. The service supports MP3, WAV, PCM, and Opus, and might reject it.'),
  'pcm.rateUnknown': () => l10n.t("Enter the sample rate to play and check raw samples. They're sent unchanged."),
  'pcm.assumed': () => l10n.t("Raw samples, read as 16-bit mono. They're sent unchanged."),
  'channels.many': ([channels = 0]) =>
    channels === 2
      ? l10n.t('The sample is stereo. Use mono with a single speaker.')
      : l10n.t('The sample has {0} channels. Use mono with a single speaker.', channels),
  'rate.low': ([rate = 0]) =>
    l10n.t(
      'Its sample rate is {0}: below {1} much of a voice is lost.',
      kiloText(rate, 'Hz'),
      kiloText(leastGoodRate, 'Hz'),
    ),
  'bits.low': ([bits = 0, advised = 0]) =>
    l10n.t(
      'Its bit rate is {0}. The service advises at least {1} for MP3.',
      kiloText(bits, 'bit/s'),
      kiloText(advised, 'bit/s'),
    ),
  'text.tooMuch': ([text = 0, seconds = 0]) =>
    l10n.t(
      'The text takes about {0} to read, but the sample is {1} long. Enter the spoken words exactly.',
      secondsText(text, false),
      secondsText(seconds),
    ),
  'text.tooLittle': ([text = 0, seconds = 0]) =>
    l10n.t(
      'The text takes only about {0} to read, but the sample is {1} long. Enter all spoken words exactly.',
      secondsText(text, false),
      secondsText(seconds),
    ),
  'level.silent': () => l10n.t('The sample is silent.'),
  'level.quiet': () => l10n.t('The sample is very quiet. Record closer to the microphone, or increase the volume.'),
  'level.clipped': ([part = 0]) => l10n.t('The sample is too loud, and {0} of it is clipped.', percent(part)),
  'level.pauses': ([part = 0]) => l10n.t('{0} of it is silence. Cut the pauses away.', percent(part)),
};
