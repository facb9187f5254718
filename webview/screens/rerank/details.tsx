import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import '../../components/details.css';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import { JudgeButtons } from './judgeButtons';
import type { RerankSession } from './session';
import { pageNumber } from '../../components/pageLanguage';

/** The whole document of the selected row. */
export function Details({ session }: { readonly session: RerankSession }) {
  const { list } = session;
  const body = useRef<HTMLDivElement>(null);
  const whole = list.whole.value;
  const { row } = list;
  useEffect(() => body.current?.scrollTo(0, 0), [whole?.index]);
  if (!whole || !row) return null;
  const close = () => {
    list.close();
    document.querySelector<HTMLElement>('.virtual-table')?.focus();
  };
  return (
    <aside
      class="details-pane rerank-details"
      aria-label={l10n.t('Whole document')}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <div class="details-head">
        <h2 class="details-title">{l10n.t('Document {0}', pageNumber(row.index + 1))}</h2>
        <span class="rerank-muted rerank-details-place" title={row.place}>
          <bdi>{row.place}</bdi>
        </span>
        {'judgement' in row && <JudgeButtons row={row} session={session} tabIndex={0} />}
        {row.canOpen && (
          <IconButton
            icon="go-to-file"
            label={l10n.t('Go to source (Enter)')}
            onClick={() => session.goTo(row.index)}
          />
        )}
        <IconButton icon="close" label={l10n.t('Close (Escape)')} onClick={close} />
      </div>
      <div class="details-body" ref={body} tabIndex={0} role="group" aria-label={l10n.t('Whole document')}>
        {'trouble' in row && row.trouble && (
          <p class="details-note">
            <span class="rerank-row-trouble">
              <Icon name="warning" />
            </span>
            {row.trouble}
          </p>
        )}
        <p class="details-text" dir="auto">
          {whole.text}
        </p>
        {whole.isCut && (
          <p class="details-note">{l10n.t('The text is longer. It is sent whole, but not shown whole.')}</p>
        )}
      </div>
    </aside>
  );
}
