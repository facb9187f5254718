/** The cost of the last similar request, shown below the action. The tooltip `hint` explains its source. */
export function LastCost({ cost }: { readonly cost: { readonly text: string; readonly hint: string } }) {
  return (
    <span class="last-cost" title={cost.hint}>
      {cost.text}
    </span>
  );
}
