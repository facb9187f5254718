/** Shown in place of rows if there are none. */
export function Nothing({ title, detail }: { readonly title: string; readonly detail: string }) {
  return (
    <div class="rerank-nothing">
      <p>{title}</p>
      <p class="rerank-muted">{detail}</p>
    </div>
  );
}
