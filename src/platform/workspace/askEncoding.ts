import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import { guessEncodings, type TextEncoding } from '../../core/workspace/textEncoding';
import { foreign } from '../../core/text/foreignText';
import { askPick } from '../quickInput';

const labels: Readonly<Record<TextEncoding, string>> = {
  gb18030: 'GBK (GB18030)',
  big5: 'Big5',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  shift_jis: 'Shift_JIS',
  'euc-kr': 'EUC-KR',
  'windows-1252': 'Windows 1252',
};

/** The question that is open: several files may be read at the same time. */
let asking: Promise<unknown> = Promise.resolve();

/**
 * Asks for the encoding of a file that is not UTF-8, with the beginning of the text in each that it may have. `noText` if the bytes are no
 * text, `canceled` if the user cancels.
 */
export async function askEncoding(name: string, bytes: Uint8Array): Promise<TextEncoding | 'noText' | 'cancelled'> {
  const guesses = guessEncodings(bytes, env.language);
  const [first] = guesses;
  if (!first) return 'noText';
  const answered = asking.then(() =>
    askPick<TextEncoding>({
      title: l10n.t('Encoding of {0}', foreign(name)),
      canGoBack: false,
      placeholder: l10n.t('Not UTF-8. Choose the encoding in which the text is readable.'),
      items: guesses.map(({ encoding, preview }) => ({
        label: labels[encoding],
        description: encoding === first.encoding ? l10n.t('most likely') : '',
        detail: foreign(preview),
        value: encoding,
      })),
    }),
  );
  asking = answered.catch(() => undefined);
  const answer = await answered;
  return answer.kind === 'value' ? answer.value : 'cancelled';
}
