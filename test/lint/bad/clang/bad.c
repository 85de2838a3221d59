int Bad(int a){ if (a) return 1; else return 2; }
