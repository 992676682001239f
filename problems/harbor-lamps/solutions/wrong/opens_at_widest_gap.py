# wrong: greedy, opens the loop at the widest gap, though the best lamps may light across it
class Solution:
    def radius(self, length: int, ships: list[int], lamps: int) -> float:
        places = sorted(set(ships))
        gaps = [(place - before) % length or length for before, place in zip(places[-1:] + places, places)]
        first = places[gaps.index(max(gaps))]
        row = sorted((place - first) % length for place in places)

        def enough(d: int) -> bool:
            used, lit = 0, -1
            for place in row:
                if place > lit:
                    used, lit = used + 1, place + d
            return used <= lamps

        low, high = -1, length
        while high - low > 1:
            middle = (low + high) // 2
            if enough(middle):
                high = middle
            else:
                low = middle
        return high / 2
