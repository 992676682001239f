// A phone shows no tooltips: a tap on a chart's point shows its values below the chart.
document.addEventListener("click", (event) => {
  const title = event.target.closest(".chart circle")?.querySelector("title");
  if (!title) return;
  const figure = title.closest("figure");
  const shown = figure.querySelector("output") ?? figure.appendChild(document.createElement("output"));
  shown.textContent = title.textContent;
});
