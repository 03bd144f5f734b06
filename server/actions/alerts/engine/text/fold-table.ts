// Generated from Unicode's CaseFolding.txt (statuses C and F): the entries that differ from String.toLowerCase().
// Each entry is "code.folded[.folded…]" in base 36; fold.ts unpacks it.

export const FOLD_EXCEPTIONS =
  "51.qk 67.37.37 95.jg.32 an.37 ds.2y.lo n9.qh pc.qh.lk.ld q8.qt.lk.ld qq.qr r4.qa r5.qg r9.qu ra.qo s0.qi " +
  "s1.qp s5.qd 13b.12d.136 3y0.3xs 3y1.3xt 3y2.3xu 3y3.3xv 3y4.3xw 3y5.3xx 5mo.tu 5mp.tw 5mq.u6 5mr.u9 " +
  "5ms.ua 5mt.ua 5mu.ui 5mv.v7 5mw.wuj 61i.2w.mp 61j.38.lk 61k.3b.lm 61l.3d.lm 61m.2p.ji 61n.601 61q.37.37 " +
  "66o.qt.lv 66q.qt.lv.lc 66s.qt.lv.ld 66u.qt.lv.n6 680.64g.qh 681.64h.qh 682.64i.qh 683.64j.qh 684.64k.qh " +
  "685.64l.qh 686.64m.qh 687.64n.qh 688.64g.qh 689.64h.qh 68a.64i.qh 68b.64j.qh 68c.64k.qh 68d.64l.qh " +
  "68e.64m.qh 68f.64n.qh 68g.65c.qh 68h.65d.qh 68i.65e.qh 68j.65f.qh 68k.65g.qh 68l.65h.qh 68m.65i.qh " +
  "68n.65j.qh 68o.65c.qh 68p.65d.qh 68q.65e.qh 68r.65f.qh 68s.65g.qh 68t.65h.qh 68u.65i.qh 68v.65j.qh " +
  "68w.674.qh 68x.675.qh 68y.676.qh 68z.677.qh 690.678.qh 691.679.qh 692.67a.qh 693.67b.qh 694.674.qh " +
  "695.675.qh 696.676.qh 697.677.qh 698.678.qh 699.679.qh 69a.67a.qh 69b.67b.qh 69e.67k.qh 69f.q9.qh " +
  "69g.q4.qh 69i.q9.n6 69j.q9.n6.qh 69o.q9.qh 69q.qh 69u.67o.qh 69v.qf.qh 69w.q6.qh 69y.qf.n6 69z.qf.n6.qh " +
  "6a4.qf.qh 6aa.qh.lk.lc 6ab.qh.lk.ld 6ae.qh.n6 6af.qh.lk.n6 6aq.qt.lk.lc 6ar.qt.lk.ld 6as.qp.lv 6au.qt.n6 " +
  "6av.qt.lk.n6 6b6.67w.qh 6b7.qx.qh 6b8.r2.qh 6ba.qx.n6 6bb.qx.n6.qh 6bg.qx.qh xv4.3vk xv5.3vl xv6.3vm " +
  "xv7.3vn xv8.3vo xv9.3vp xva.3vq xvb.3vr xvc.3vs xvd.3vt xve.3vu xvf.3vv xvg.3vw xvh.3vx xvi.3vy xvj.3vz " +
  "xvk.3w0 xvl.3w1 xvm.3w2 xvn.3w3 xvo.3w4 xvp.3w5 xvq.3w6 xvr.3w7 xvs.3w8 xvt.3w9 xvu.3wa xvv.3wb xvw.3wc " +
  "xvx.3wd xvy.3we xvz.3wf xw0.3wg xw1.3wh xw2.3wi xw3.3wj xw4.3wk xw5.3wl xw6.3wm xw7.3wn xw8.3wo xw9.3wp " +
  "xwa.3wq xwb.3wr xwc.3ws xwd.3wt xwe.3wu xwf.3wv xwg.3ww xwh.3wx xwi.3wy xwj.3wz xwk.3x0 xwl.3x1 xwm.3x2 " +
  "xwn.3x3 xwo.3x4 xwp.3x5 xwq.3x6 xwr.3x7 xws.3x8 xwt.3x9 xwu.3xa xwv.3xb xww.3xc xwx.3xd xwy.3xe xwz.3xf " +
  "xx0.3xg xx1.3xh xx2.3xi xx3.3xj xx4.3xk xx5.3xl xx6.3xm xx7.3xn xx8.3xo xx9.3xp xxa.3xq xxb.3xr " +
  "1dkw.2u.2u 1dkx.2u.2x 1dky.2u.30 1dkz.2u.2u.2x 1dl0.2u.2u.30 1dl1.37.38 1dl2.37.38 1dlf.12s.12u " +
  "1dlg.12s.12d 1dlh.12s.12j 1dli.132.12u 1dlj.12s.12l";
