// The statistics of calibration: weighted logistic regression, weighted quantiles, AUROC, calibration error.

/** Weighted logistic regression by Newton's method; the last coefficient is the constant. */
export function fitLogistic(inputs: number[][], labels: number[], weights: number[], ridge = 1e-4): number[] {
  const size = inputs[0].length + 1;
  let beta: number[] = new Array(size).fill(0);
  for (let round = 0; round < 30; round++) {
    const gradient = beta.map((b) => ridge * b);
    const hessian = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (_, k) => (i === k ? ridge : 0)),
    );
    inputs.forEach((row, n) => {
      const x = [...row, 1];
      const p = sigmoid(dot(x, beta));
      const error = weights[n] * (p - labels[n]);
      const curve = weights[n] * p * (1 - p);
      for (let i = 0; i < size; i++) {
        gradient[i] += error * x[i];
        for (let k = 0; k <= i; k++) hessian[i][k] += curve * x[i] * x[k];
      }
    });
    for (let i = 0; i < size; i++) for (let k = i + 1; k < size; k++) hessian[i][k] = hessian[k][i];
    const step = solve(hessian, gradient);
    beta = beta.map((b, i) => b - step[i]);
  }
  return beta;
}

/** Gaussian elimination with pivots. */
function solve(matrix: number[][], right: number[]): number[] {
  const a = matrix.map((row, i) => [...row, right[i]]);
  const n = a.length;
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(a[r][c]) > Math.abs(a[pivot][c])) pivot = r;
    [a[c], a[pivot]] = [a[pivot], a[c]];
    for (let r = c + 1; r < n; r++) {
      const factor = a[r][c] / a[c][c];
      for (let k = c; k <= n; k++) a[r][k] -= factor * a[c][k];
    }
  }
  const x = new Array(n).fill(0);
  for (let r = n - 1; r >= 0; r--) {
    let sum = a[r][n];
    for (let k = r + 1; k < n; k++) sum -= a[r][k] * x[k];
    x[r] = sum / a[r][r];
  }
  return x;
}

/** The least value above which at most `share` of the weight lies, one text of average weight added for the next one to come. */
export function upperQuantile(values: number[], weights: number[], share: number): number {
  const order = values.map((_, i) => i).sort((a, b) => values[b] - values[a]);
  const total = weights.reduce((sum, w) => sum + w, 0);
  const allowed = share * (total + total / values.length) - total / values.length;
  let above = 0;
  for (const i of order) {
    above += weights[i];
    if (above > allowed) return values[i];
  }
  return values[order.at(-1)!];
}

export function auroc(scores: number[], labels: number[]): number {
  const order = scores.map((_, i) => i).sort((a, b) => scores[a] - scores[b]);
  const positives = labels.reduce((sum, label) => sum + label, 0);
  let ranks = 0;
  order.forEach((i, rank) => {
    if (labels[i]) ranks += rank + 1;
  });
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (labels.length - positives));
}

/** Expected calibration error over fifteen equal bins. */
export function calibrationError(probabilities: number[], labels: number[], bins = 15): number {
  const sums = Array.from({ length: bins }, () => ({ p: 0, y: 0, n: 0 }));
  probabilities.forEach((p, i) => {
    const bin = sums[Math.min(bins - 1, Math.floor(p * bins))];
    bin.p += p;
    bin.y += labels[i];
    bin.n++;
  });
  return sums.reduce((error, bin) => error + Math.abs(bin.p - bin.y), 0) / labels.length;
}

export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, x))));
}

export function dot(a: number[], b: number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
