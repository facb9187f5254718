import * as l10n from '@vscode/l10n';
import type { ActivitySelection, ActivityView, LimitView, SpendRow, SpendView } from '../../../src/protocol/activity';
import { SelectField } from '../../components/selectField';
import { Bar } from './bar';
import type { ActivitySession } from './session';

/** The height of the bars at the highest value of the axis, in pixels. */
const chartHeight = 120;

/** What was used and charged, by day and by client or model, beside the daily limits. */
export function Spend({ view, session }: { readonly view: ActivityView; readonly session: ActivitySession }) {
  const { spend, selection, limits } = view;
  const periods = { 1: l10n.t('Today'), 7: l10n.t('Last 7 days'), 30: l10n.t('Last 30 days') };
  const groupings = { client: l10n.t('By client'), model: l10n.t('By model') };
  const heads = { client: l10n.t('Client'), model: l10n.t('Model') };
  return (
    <section class="activity-section" aria-label={l10n.t('Spend')}>
      <div class="activity-title">
        <h2>{l10n.t('Spend')}</h2>
        <SelectField
          label={l10n.t('Period')}
          value={String(selection.days)}
          options={Object.entries(periods).map(([value, label]) => ({ value, label }))}
          onChoose={(days) => session.select({ days: Number(days) as ActivitySelection['days'] })}
        />
        <SelectField
          label={l10n.t('Group By')}
          value={selection.by}
          options={(['client', 'model'] as const).map((by) => ({ value: by, label: groupings[by] }))}
          onChoose={(by) => session.select({ by })}
        />
      </div>
      <div class="activity-overview">
        <Chart spend={spend} />
        <div class="activity-limits">
          {limits.map((limit) => (
            <Limit key={limit.id} limit={limit} onChange={() => session.changeLimit(limit.id)} />
          ))}
        </div>
      </div>
      <table class="activity-table">
        <thead>
          <tr>
            <th scope="col">{heads[selection.by]}</th>
            <th scope="col">{l10n.t('Requests')}</th>
            <th scope="col" class="activity-tokens">
              {l10n.t('Tokens in')}
            </th>
            <th scope="col" class="activity-tokens">
              {l10n.t('Tokens out')}
            </th>
            <th scope="col">{l10n.t('Charged')}</th>
            <th scope="col" class="activity-share">
              {l10n.t('Share')}
            </th>
          </tr>
        </thead>
        <tbody>
          {spend.rows.map((row, color) => (
            <Line key={row.id} row={row} color={color} onAdvice={() => session.chooseTools()} />
          ))}
          <Line row={spend.total} />
        </tbody>
      </table>
    </section>
  );
}

/** Rows after the fifth share a color. */
function colorClass(index: number): string {
  return `activity-color-${Math.min(index, 5)}`;
}

/** A bar for each day. The label has the same in words. */
function Chart({ spend }: { readonly spend: SpendView }) {
  const { axis, days, unit } = spend;
  const isDense = days.length > 7;
  return (
    <div
      class={`activity-chart${isDense ? ' is-dense' : ''}`}
      role="img"
      aria-label={`${unit}: ${days.map(({ hint }) => hint).join('; ')}`}
    >
      {axis.map((label, index) => (
        <span class="activity-line" key={index} style={{ bottom: `${20 + (index * chartHeight) / 2}px` }}>
          <span class="activity-axis">{label}</span>
        </span>
      ))}
      {days.map(({ label, isToday, hint, parts }, index) => (
        <span class="activity-day" key={index} title={hint}>
          <span class="activity-stack">
            {parts.map(
              (part, color) =>
                part > 0 && (
                  <span
                    key={color}
                    class={colorClass(color)}
                    style={{ height: `${Math.max(1, part * chartHeight)}px` }}
                  />
                ),
            )}
          </span>
          <span class={`activity-date${isToday ? ' is-today' : ''}`}>
            {isDense && index % 7 !== days.length % 7 && !isToday ? '' : label}
          </span>
        </span>
      ))}
    </div>
  );
}

function Limit({ limit, onChange }: { readonly limit: LimitView; readonly onChange: () => void }) {
  const { label, value, used, detail, changeLabel } = limit;
  return (
    <div>
      <div class="activity-limit">
        <span>{label}</span>
        <span>{value}</span>
      </div>
      {used !== undefined && <Bar label={label} used={used} limit />}
      <div class="activity-limit-detail">
        {detail}{' '}
        <button type="button" class="link" onClick={onChange}>
          {changeLabel}
        </button>
      </div>
    </div>
  );
}

interface LineProps {
  readonly row: SpendRow;
  readonly color?: number;
  readonly onAdvice?: () => void;
}

function Line({ row, color, onAdvice }: LineProps) {
  const { label, requests, inputTokens, outputTokens, charged, share, hint, advice } = row;
  return (
    <tr class={color === undefined ? 'activity-total' : ''} title={advice ? undefined : hint}>
      <th scope="row" dir="auto">
        {color !== undefined && <span class={`activity-swatch ${colorClass(color)}`} />}
        {advice ? (
          <button type="button" class="activity-advised" aria-describedby="advice">
            {label}
          </button>
        ) : (
          label
        )}
        {advice && (
          <span class="activity-advice" dir="auto">
            {hint !== '' && <span class="activity-advice-facts">{hint}</span>}
            <span id="advice">{advice.text}</span>{' '}
            <button type="button" class="link" onClick={onAdvice}>
              {advice.label}
            </button>
          </span>
        )}
      </th>
      <td>{requests}</td>
      <td class="activity-tokens">{inputTokens}</td>
      <td class="activity-tokens">{outputTokens}</td>
      <td>{charged}</td>
      <td class="activity-share">{share}</td>
    </tr>
  );
}
