/** A bar for a share from 0 to 1. With `limit`, it warns above 80% and at the limit. */
export function Bar({ label, used, limit }: { readonly label: string; readonly used: number; readonly limit?: true }) {
  const percent = Math.round(Math.min(1, Math.max(0, used)) * 100);
  return (
    <span
      class="activity-bar"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span class={`activity-fill${limit && used > 0.8 ? ' is-near' : ''}`} style={{ width: `${percent}%` }} />
    </span>
  );
}
