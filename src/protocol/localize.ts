import { t as translate } from '@vscode/l10n';
import { fillText, type FillValue, type FillValues } from './fillText';

export { config } from '@vscode/l10n';

/** Replaces `t` of @vscode/l10n in all bundles (see esbuild.mjs), so that every text is filled in the same way. */
export function t(text: string, ...values: readonly FillValue[] | readonly [named: FillValues]): string {
  const [first] = values;
  return fillText(translate(text), typeof first === 'object' ? first : (values as readonly FillValue[]));
}
