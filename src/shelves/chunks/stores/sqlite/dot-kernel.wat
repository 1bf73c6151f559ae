;; Dot products of one query with many int8 vectors, the choice of the best among them, and distances in bits.
;; `npm run kernel` assembles this file to dot-kernel-module.ts; a test checks that the two agree.
(module
  (import "env" "memory" (memory 1 65536))

  ;; Writes $count int32 products to $out. $dim is a multiple of 8, $count of 4; the query holds int16.
  ;; Four vectors at a time: eight codes of each are widened, multiplied with eight query weights and added in pairs. The
  ;; four are a quarter of the rows apart, so that the processor sees four streams without gaps and prefetches them. More work
  ;; per iteration makes it slower in V8.
  (func (export "dots") (param $codes i32) (param $count i32) (param $dim i32) (param $query i32) (param $out i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (local $q i32) (local $end i32) (local $quarter i32) (local $stride i32)
    (local $weights v128) (local $sumA v128) (local $sumB v128) (local $sumC v128) (local $sumD v128)
    ;; A quarter of the int32 products is as many bytes as there are rows.
    (local.set $stride (local.get $count))
    (local.set $quarter (i32.shr_u (i32.mul (local.get $count) (local.get $dim)) (i32.const 2)))
    (local.set $a (local.get $codes))
    (local.set $b (i32.add (local.get $a) (local.get $quarter)))
    (local.set $c (i32.add (local.get $b) (local.get $quarter)))
    (local.set $d (i32.add (local.get $c) (local.get $quarter)))
    (loop $rows
      (local.set $sumA (v128.const i32x4 0 0 0 0))
      (local.set $sumB (v128.const i32x4 0 0 0 0))
      (local.set $sumC (v128.const i32x4 0 0 0 0))
      (local.set $sumD (v128.const i32x4 0 0 0 0))
      (local.set $q (local.get $query))
      (local.set $end (i32.add (local.get $query) (i32.mul (local.get $dim) (i32.const 2))))
      (loop $dimensions
        (local.set $weights (v128.load align=1 (local.get $q)))
        (local.set $sumA
          (i32x4.add
            (local.get $sumA)
            (i32x4.dot_i16x8_s (v128.load8x8_s align=1 (local.get $a)) (local.get $weights))))
        (local.set $sumB
          (i32x4.add
            (local.get $sumB)
            (i32x4.dot_i16x8_s (v128.load8x8_s align=1 (local.get $b)) (local.get $weights))))
        (local.set $sumC
          (i32x4.add
            (local.get $sumC)
            (i32x4.dot_i16x8_s (v128.load8x8_s align=1 (local.get $c)) (local.get $weights))))
        (local.set $sumD
          (i32x4.add
            (local.get $sumD)
            (i32x4.dot_i16x8_s (v128.load8x8_s align=1 (local.get $d)) (local.get $weights))))
        (local.set $a (i32.add (local.get $a) (i32.const 8)))
        (local.set $b (i32.add (local.get $b) (i32.const 8)))
        (local.set $c (i32.add (local.get $c) (i32.const 8)))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (br_if $dimensions (i32.lt_u (local.get $q) (local.get $end))))
      (i32.store (local.get $out) (call $sumOfLanes (local.get $sumA)))
      (i32.store (i32.add (local.get $out) (local.get $stride)) (call $sumOfLanes (local.get $sumB)))
      (i32.store (i32.add (local.get $out) (i32.mul (local.get $stride) (i32.const 2))) (call $sumOfLanes (local.get $sumC)))
      (i32.store (i32.add (local.get $out) (i32.mul (local.get $stride) (i32.const 3))) (call $sumOfLanes (local.get $sumD)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 4)))
      (br_if $rows (local.get $count))))

  (func $sumOfLanes (param $lanes v128) (result i32)
    (i32.add
      (i32x4.extract_lane 0 (local.get $lanes))
      (i32.add
        (i32x4.extract_lane 1 (local.get $lanes))
        (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes))))))

  ;; Writes for $count rows of $rowBytes (a multiple of 16) in how many bits each differs from the query, as int32.
  ;; In words of 64 bits: processors count the bits of such a word in one instruction, those of a vector in many.
  (func (export "differences")
    (param $rows i32) (param $count i32) (param $query i32) (param $out i32) (param $rowBytes i32)
    (local $q i32) (local $end i32) (local $bits i64)
    (local.set $end (i32.add (local.get $query) (local.get $rowBytes)))
    (loop $eachRow
      (local.set $bits (i64.const 0))
      (local.set $q (local.get $query))
      (loop $words
        (local.set $bits
          (i64.add
            (local.get $bits)
            (i64.add
              (i64.popcnt (i64.xor (i64.load align=1 (local.get $rows)) (i64.load align=1 (local.get $q))))
              (i64.popcnt
                (i64.xor (i64.load offset=8 align=1 (local.get $rows)) (i64.load offset=8 align=1 (local.get $q)))))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (br_if $words (i32.lt_u (local.get $q) (local.get $end))))
      (i32.store (local.get $out) (i32.wrap_i64 (local.get $bits)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $eachRow (local.get $count))))

  ;; Writes to $out which of $count products (a multiple of 4), each with $margin added and scaled by its own factor, are above
  ;; $floor; returns how many. Four at a time; most groups of four have none, so the inner loop seldom runs.
  (func (export "above")
    (param $products i32) (param $scales i32) (param $count i32) (param $margin f32) (param $floor f32) (param $out i32)
    (result i32)
    (local $i i32) (local $bits i32) (local $to i32) (local $margins v128) (local $floors v128)
    (local.set $margins (f32x4.splat (local.get $margin)))
    (local.set $floors (f32x4.splat (local.get $floor)))
    (local.set $to (local.get $out))
    (loop $fours
      (local.set $bits
        (i32x4.bitmask
          (f32x4.gt
            (f32x4.mul
              (f32x4.add
                (f32x4.convert_i32x4_s (v128.load align=1 (local.get $products)))
                (local.get $margins))
              (v128.load align=1 (local.get $scales)))
            (local.get $floors))))
      (block $none
        (br_if $none (i32.eqz (local.get $bits)))
        (loop $found
          (i32.store (local.get $to) (i32.add (local.get $i) (i32.ctz (local.get $bits))))
          (local.set $to (i32.add (local.get $to) (i32.const 4)))
          (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
          (br_if $found (local.get $bits))))
      (local.set $products (i32.add (local.get $products) (i32.const 16)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $fours (i32.lt_u (local.get $i) (local.get $count))))
    (i32.shr_u (i32.sub (local.get $to) (local.get $out)) (i32.const 2))))
