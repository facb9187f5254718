import { Fragment } from 'preact';
import * as l10n from '@vscode/l10n';
import type { EvalRate, EvalVariantRow, EvalView, EvalPlot } from '../../../src/protocol/evalResults';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { IconName } from '../../components/iconNames';
import { pageNumber } from '../../components/pageLanguage';
import { SelectField } from '../../components/selectField';
import type { EvalSession } from './session';

const icons: Readonly<Record<EvalView['verdict'], IconName>> = {
  better: 'pass',
  worse: 'error',
  notWorse: 'pass',
  cantTell: 'question',
  rate: 'info',
  none: 'circle-large',
};

interface PartProps {
  readonly view: EvalView;
  readonly session: EvalSession;
}

/** What the eval says: the verdict with its interval, the rates it is made of, and the rows that got worse. */
export function Verdict({ view, session }: PartProps) {
  const { verdict, sentence, line, plot, needs, checks, missing, judge } = view;
  return (
    <div class="eval-scroll" tabIndex={0} role="region" aria-label={l10n.t('Verdict')}>
      <section class={`eval-verdict eval-is-${verdict}`}>
        <Icon name={icons[verdict]} class="eval-icon" />
        <div class="eval-words">
          <h2 class="eval-sentence">{sentence}</h2>
          {line && <p class="eval-line">{line}</p>}
        </div>
      </section>
      <Choices view={view} session={session} />
      {plot && (
        <div class={`eval-is-${verdict}`}>
          <Plot plot={plot} />
        </div>
      )}
      {needs.length > 0 && (
        <table class="eval-needs" aria-label={l10n.t('Rows needed for a verdict')}>
          <tbody>
            {needs.map(({ goal, rows, price }) => (
              <tr key={goal}>
                <th scope="row">{goal}</th>
                <td>{rows}</td>
                <td>{price}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {view.variants.length > 0 && <Variants view={view} session={session} />}
      {view.regressions.rows.length > 0 && <Regressions view={view} session={session} />}
      {view.preferences.length > 0 && (
        <section class="eval-section">
          <h2>{l10n.t('Pairs compared by a model')}</h2>
          {view.preferences.map((text) => (
            <p class="eval-preference" key={text}>
              {text}
            </p>
          ))}
        </section>
      )}
      {checks.length > 0 && <Facts title={l10n.t('Reliability')} facts={checks} />}
      {missing.length > 0 && <Facts title={l10n.t('Missing results')} facts={missing} />}
      {judge && <Judge {...judge} onReview={() => session.open('review')} />}
    </div>
  );
}

function Facts({ title, facts }: { readonly title: string; readonly facts: EvalView['missing'] }) {
  return (
    <section class="eval-section">
      <h2>{title}</h2>
      <dl class="eval-missing">
        {facts.map(({ name, value }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

type JudgeProps = NonNullable<EvalView['judge']> & { readonly onReview: () => void };

/** That a model's grades have not been compared with people, and how to do it. */
function Judge({ text, action, onReview }: JudgeProps) {
  return (
    <p class="eval-judge">
      <Icon name="warning" class="eval-uncalibrated" />
      <span>
        {text}{' '}
        {action !== '' && (
          <button type="button" class="link" onClick={onReview}>
            {action}
          </button>
        )}
      </span>
    </p>
  );
}

function Choices({ view: { references, candidates, reference, candidate }, session }: PartProps) {
  if (references.length === 0) return null;
  const optionsOf = (all: EvalView['references']) => all.map(({ id, label }) => ({ value: id, label }));
  return (
    <div class="eval-choices">
      <SelectField
        label={l10n.t('Variant')}
        value={candidate}
        options={optionsOf(candidates)}
        onChoose={(id) => void session.compare({ candidate: id })}
      />
      <span class="eval-muted">{l10n.t('compared with')}</span>
      <SelectField
        label={l10n.t('Reference')}
        value={reference}
        options={optionsOf(references)}
        onChoose={(id) => void session.compare({ reference: id })}
      />
    </div>
  );
}

function Variants({ view, session }: PartProps) {
  const { graders, variants, differences } = view;
  return (
    <div class="eval-variants" tabIndex={0} role="region" aria-label={l10n.t('Variants')}>
      <table>
        <thead>
          <tr>
            <th class="eval-variant">{l10n.t('Variant')}</th>
            <th class="eval-pass">{l10n.t('Pass rate (95%)')}</th>
            {graders.map(({ name, isJudged }) => (
              <th class="eval-number" key={name} title={name}>
                <bdi>{name}</bdi>
                {isJudged && view.judge && (
                  <>
                    <Icon name="question" class="eval-uncalibrated" />
                    <span class="spoken">{l10n.t('Graded by a model, not calibrated')}</span>
                  </>
                )}
              </th>
            ))}
            <th class="eval-number">{l10n.t('Per 1,000 rows')}</th>
            <th class="eval-actions">
              <span class="spoken">{l10n.t('Actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {variants.map((row) => (
            <VariantRow key={row.id} row={row} onAccept={() => void session.accept(row.id)} />
          ))}
          {differences && (
            <tr class="eval-differences">
              <th scope="row" class="eval-variant">
                {differences.label}
              </th>
              <td class="eval-pass" />
              {differences.graders.map((rate, index) => (
                <Rate key={index} rate={rate} />
              ))}
              <td class="eval-number" />
              <td class="eval-actions" />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function VariantRow({ row, onAccept }: { readonly row: EvalVariantRow; readonly onAccept: () => void }) {
  const { letter, label, role, pass, graders, price, canAccept } = row;
  return (
    <tr class="eval-variant-row">
      <th scope="row" class="eval-variant" title={label}>
        <strong>{letter}</strong> <bdi>{label}</bdi>
        {role && <span class="eval-muted"> · {role}</span>}
      </th>
      <td class="eval-pass" title={pass.hint}>
        {pass.rate || '–'} <span class="eval-muted">{pass.interval}</span>
      </td>
      {graders.map((rate, index) => (
        <Rate key={index} rate={rate} />
      ))}
      <td class="eval-number">{price || '–'}</td>
      <td class="eval-actions">
        {canAccept && <IconButton icon="pin" label={l10n.t('Set {0} as Baseline', letter)} onClick={onAccept} />}
      </td>
    </tr>
  );
}

function Rate({ rate: { rate, interval, hint } }: { readonly rate: EvalRate }) {
  return (
    <td class="eval-number" title={hint}>
      {rate || '–'}
      {interval && <span class="eval-interval-text">{interval}</span>}
    </td>
  );
}

function Regressions({ view: { regressions }, session }: PartProps) {
  const { title, detail, rows, more } = regressions;
  // A baseline has results, and no responses.
  const hasBefore = rows.some(({ before }) => before !== '');
  return (
    <section class="eval-section eval-regressions">
      <div class="eval-section-head">
        <h2>
          {title} <span class="eval-muted">{detail}</span>
        </h2>
        <button type="button" class="link" onClick={() => void session.showRegressions()}>
          {more ? l10n.t('Open Table ({0})', more) : l10n.t('Open Table')}
        </button>
      </div>
      <table>
        <thead>
          <tr>
            <th class="eval-name">{l10n.t('Row')}</th>
            <th class="eval-input">{l10n.t('Input')}</th>
            {hasBefore && <th class="eval-before">{l10n.t('Before')}</th>}
            <th class="eval-after">{l10n.t('After')}</th>
            <th class="eval-graders">{l10n.t('Failed by')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, name, input, before, after, failed }) => (
            <tr key={row}>
              <th scope="row" class="eval-name" title={name}>
                <button type="button" class="link" onClick={() => void session.showRegressions(row)}>
                  <bdi>{name}</bdi>
                </button>
              </th>
              <td class="eval-input" title={input}>
                <bdi>{input}</bdi>
              </td>
              {hasBefore && (
                <td class="eval-before" title={before}>
                  {before !== '' && <Icon name="check" class="eval-passed" />}
                  <bdi>{before}</bdi>
                </td>
              )}
              <td class="eval-after" title={after}>
                <Icon name="close" class="eval-failed" />
                <bdi>{after}</bdi>
              </td>
              <td class="eval-graders" title={failed}>
                <bdi>{failed}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const steps = [1, 2, 5, 10, 20, 25, 50];
const mostTicks = 8;

/** Returns the ticks of an axis in points that has all values and zero in view. */
function plotTicks(values: readonly number[]): readonly number[] {
  const low = values.reduce((least, value) => Math.min(least, value * 100), 0);
  const high = values.reduce((most, value) => Math.max(most, value * 100), 0);
  const step = steps.find((one) => (high - low) / one <= mostTicks - 2) ?? 50;
  const first = Math.floor(low / step - 0.2);
  const last = Math.max(first + 1, Math.ceil(high / step + 0.2));
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** A difference with its interval on a line, with zero in view. Everything in it is also said in words above. */
function Plot({ plot }: { readonly plot: EvalPlot }) {
  const { difference, low, high, margin, caption } = plot;
  const ticks = plotTicks([low, high, ...(margin === undefined ? [] : [margin])]);
  const [first = 0, last = 1] = [ticks[0], ticks.at(-1)];
  const at = (points: number) => `${((points - first) / (last - first)) * 100}%`;
  const sign = { signDisplay: 'exceptZero' } as const;
  return (
    <figure class="eval-plot">
      <div class="eval-axis" dir="ltr" aria-hidden="true">
        {ticks.map((tick) => (
          <span
            class={`eval-tick ${tick === 0 ? 'eval-zero' : ''}`}
            key={tick}
            style={{ insetInlineStart: at(tick) }}
            data-label={pageNumber(tick, sign)}
          />
        ))}
        {margin !== undefined && <span class="eval-margin" style={{ insetInlineStart: at(margin * 100) }} />}
        <span
          class="eval-interval"
          style={{ insetInlineStart: at(low * 100), insetInlineEnd: `calc(100% - ${at(high * 100)})` }}
        />
        <span class="eval-estimate" style={{ insetInlineStart: at(difference * 100) }} />
      </div>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}
