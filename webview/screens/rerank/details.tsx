import { useEffect, useRef } from 'preact/hooks';
import '../../components/details.css';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import { JudgeButtons } from './judgeButtons';
import type { Rerank } from './rerankContext';

/** The whole document of the selected row. */
export function Details({ rerank }: { readonly rerank: Rerank }) {
  const { session, strings, number } = rerank;
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
      aria-label={strings.details}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <div class="details-head">
        <h2 class="details-title">{fill(strings.documentOf, number(row.index + 1))}</h2>
        <span class="rerank-muted rerank-details-place" title={row.place}>
          <bdi>{row.place}</bdi>
        </span>
        {'judgement' in row && <JudgeButtons row={row} rerank={rerank} tabIndex={0} />}
        {row.canOpen && <IconButton icon="go-to-file" label={strings.goTo} onClick={() => session.goTo(row.index)} />}
        <IconButton icon="close" label={strings.close} onClick={close} />
      </div>
      <div class="details-body" ref={body} tabIndex={0} role="group" aria-label={strings.details}>
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
        {whole.isCut && <p class="details-note">{strings.cut}</p>}
      </div>
    </aside>
  );
}
