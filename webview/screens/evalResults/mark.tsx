import * as l10n from '@vscode/l10n';
import type { EvalMark } from '../../../src/protocol/evalResults';
import { Icon } from '../../components/icon';

/** A grader's result, as a symbol and a word for screen readers. */
export function Mark({ mark }: { readonly mark: EvalMark }) {
  if (mark === 'none') return null;
  const text = { pass: l10n.t('Passed'), fail: l10n.t('Failed'), missing: l10n.t('Missing') }[mark];
  return (
    <span class={`eval-mark eval-mark-${mark}`} title={text}>
      {mark === 'missing' ? <span aria-hidden="true">–</span> : <Icon name={mark === 'pass' ? 'check' : 'close'} />}
      <span class="spoken">{text}</span>
    </span>
  );
}
