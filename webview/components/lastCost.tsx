/** What the last of its kind cost, below what will be done; `hint` is how that is known. */
export function LastCost({ cost }: { readonly cost: { readonly text: string; readonly hint: string } }) {
  return (
    <span class="last-cost" title={cost.hint}>
      {cost.text}
    </span>
  );
}
